import type { Tx } from '../db/database.ts'
import { system } from '../rights/actor.ts'
import { addLanguage, lockLanguage, move, writeLanguages } from '../systems/user/language/index.ts'

/** Vietnamese for the words of dictionaries, and French that nobody has begun to translate. */
export const writeDemoLanguages = async (tx: Tx): Promise<void> => {
  const actor = system('demo languages')
  await writeLanguages(tx)
  await addLanguage(tx, 'vi', { languageName: 'Tiếng Việt', sort: 4 }, actor)
  await move(tx, await lockLanguage(tx, 'vi', 0), 'lang.state', actor)
  await addLanguage(tx, 'fr', { languageName: 'Français', sort: 5 }, actor)
}
