/** */ export async function system() { return document.createElement('div'); }
