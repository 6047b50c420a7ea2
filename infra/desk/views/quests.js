/** */ export async function quests() { return document.createElement('div'); }
