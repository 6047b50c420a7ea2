/** */ export async function person() { return document.createElement('div'); }
