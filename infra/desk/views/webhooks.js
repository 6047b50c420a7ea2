/** */ export async function webhooks() { return document.createElement('div'); }
