import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../core/contract/endpoint.ts'
import { normalWord } from '../../../../core/rules/text/sensitive-words.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { checkText } from './guard.ts'

const { sensitiveWord } = contract
let made = 0

/** Letters of which no two neighbours are alike, so that the form of a word keeps them. */
const letters = `chr(97 + n % 7) || 'z' || chr(97 + n / 7)`

const added = async (fixture: Fixture): Promise<string> => {
  const input = {
    newWords: `rogue ${++made}x`,
    wordLanguage: 'en',
    category: 'insult',
    scopes: ['sms'],
    wordAction: 'block',
  }
  const { key } = (
    await fixture.call(sensitiveWord.save, input as InputOf<typeof sensitiveWord.save>, { as: fixture.boss })
  ).data
  return String(key)
}

export default facts({
  lists: [
    {
      list: sensitiveWord.page,
      key: 'wordNo',
      of: 'company',
      fill: async fixture => {
        const wordNo = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('word_no')}, 'word', x.word || ${letters}, 'normal_word', x.normal_word || ${letters}, ${at('updated_time')}, 'word_action', (array['block', 'warn'])[1 + n % 2])`
        await copied(fixture, 'sensitive_word', `word_no = '${wordNo}'`, changes)
      },
      means: {
        word: (row, text: string) => normalWord(String(row.word)).includes(normalWord(text)),
        scope: (row, values: readonly string[]) =>
          values.length === 0 || (row.scopes as string[]).some(one => values.includes(one)),
      },
    },
    {
      list: sensitiveWord.hits,
      key: 'hitNo',
      of: 'company',
      fill: async fixture => {
        await added(fixture)
        const written = { scope: 'sms', text: `you rogue ${made}x`, objectType: 'order', objectNo: 'LO1' } as const
        await fixture.db.withTx(tx => checkText({ tx, session: { userNo: fixture.boss.userNo } as never }, written))
        const varied = `'scope', (array['sms', 'email', 'whatsapp'])[1 + n % 3], 'word_action', (array['block', 'warn'])[1 + n % 2], 'user_no', (array['U1', 'U2'])[1 + n % 2]`
        const changes = `jsonb_build_object(${prefixed('hit_no')}, ${at('hit_time')}, ${varied})`
        await copied(fixture, 'sensitive_word_hit', 'true', changes)
      },
    },
  ],
  beginnings: [
    {
      call: sensitiveWord.page.importing!.command,
      input: async fixture => {
        const bytes = Buffer.from(`word,language,category,scopes,action\nrascal ${++made}x,en,insult,sms,block\n`)
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'words.csv', bytes }) }
      },
    },
  ],
  records: [{ fields: ['wordNo', 'wordNos'], table: 'sensitive_word', key: 'word_no' }],
  calls: Object.values(sensitiveWord)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'words are ours, whatever the merchant' })),
})
