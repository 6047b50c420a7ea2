/** */ export async function audit() { return document.createElement('div'); }
