import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, type Made, way } from '../../../testing/facts.ts'

const { languageConfig: language } = contract
const ours = 'languages are ours, whatever the merchant'

let made = 0
/** Letters that no language of the fixture has yet; the interface speaks none of these. */
const code = () =>
  `q${String.fromCharCode(97 + (++made % 26))}${String.fromCharCode(97 + (Math.floor(made / 26) % 26))}`

const saved = async (fixture: Fixture, languageCode = code()): Promise<Made> => {
  await done(fixture, language.save, { languageCode, languageName: `Language ${languageCode}`, sort: 5 })
  return { no: languageCode, input: { languageCode, version: 0 } }
}

/** A language that the interface speaks and that is not the default, enabled. */
const spoken = async (fixture: Fixture): Promise<Made> => {
  const rows = await fixture.rows(
    sql<{ languageCode: string; languageStatus: string; version: number }>`
      select language_code, language_status, version from language where deleted_time is null`,
  )
  const of = (code: string) => rows.find(row => row.languageCode === code)
  const languageCode = ['sw', 'en', 'zh'].find(code => of(code)?.languageStatus !== 'default') as string
  const held = of(languageCode)
  if (!held) await saved(fixture, languageCode)
  if (held?.languageStatus === 'enabled') return { no: languageCode, input: { languageCode, version: held.version } }
  const input = { languageCode, version: held?.version ?? 0, enabled: true }
  const { version } = await done(fixture, language.state, input)
  return { no: languageCode, input: { languageCode, version } }
}

export default facts({
  machines: {
    language: {
      row: {
        languageCode: 'qq',
        languageName: 'Luganda',
        sort: 4,
        createdTime: '2026-03-02T07:00:00Z',
        updatedBy: 'U1',
        updatedTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: language.state,
      make: async fixture => {
        const { no, input } = await saved(fixture)
        return { no, input: { ...input, enabled: true } }
      },
    },
    { call: language.setDefault, make: spoken },
    { call: language.remove, make: fixture => saved(fixture) },
  ],
  ways: [
    way('a language is enabled, disabled again, and one takes the place of the default', async fixture => {
      const { no, input } = await saved(fixture)
      const { version } = await done(fixture, language.state, { ...input, enabled: true })
      await done(fixture, language.state, { languageCode: no, version: version as number, enabled: false })
      for (let turn = 0; turn < 2; turn++) await done(fixture, language.setDefault, (await spoken(fixture)).input)
    }),
  ],
  lists: [
    {
      list: language.page,
      key: 'languageCode',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into language (language_code, language_name, sort, language_status, created_time, updated_by, updated_time)
          select 'z' || chr(97 + n % 26) || chr(97 + n / 26), 'Tongue ' || n % 4 || ' ' || n, 1 + n % 6, (array['draft', 'enabled'])[1 + n % 2],
            now(), ${fixture.boss.userNo}, timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour'
          from generate_series(1, 33) n`)
      },
      means: {
        search: (row, text: string) => {
          const wanted = text.trim().toLowerCase()
          return String(row.languageName).toLowerCase().includes(wanted) || String(row.languageCode).startsWith(wanted)
        },
        enabled: (row, enabled: boolean) => (row.languageStatus !== 'draft') === enabled,
      },
    },
  ],
  records: [{ fields: ['languageCode'], table: 'language', key: 'language_code' }],
  calls: Object.values(language).map(call => ({ call, about: ours })),
})
