/** */ export async function hashtags() { return document.createElement('div'); }
