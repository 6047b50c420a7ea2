/** */ export async function appeals() { return document.createElement('div'); }
