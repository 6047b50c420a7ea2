/** */ export async function statistics() { return document.createElement('div'); }
