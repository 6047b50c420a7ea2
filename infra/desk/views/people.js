/** */ export async function people() { return document.createElement('div'); }
