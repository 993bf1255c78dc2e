import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Made, way } from '../../../testing/facts.ts'

const { announcement } = contract
type Given = { later?: boolean; ends?: string }

/** What a form says of an announcement that began a minute ago, or begins in an hour. */
const form = (fixture: Fixture, { later = false, ends }: Given = {}) => ({
  titles: { en: 'Rates' },
  contents: { en: '<p>They change on Monday</p>' },
  audienceType: 'staff' as const,
  startTime: new Date(fixture.clock.now().getTime() + (later ? 3_600_000 : -60_000)).toISOString(),
  ...(ends ? { endTime: ends } : {}),
})

type Step = 'publish' | 'abolish' | 'restart' | 'remove'

/** One that went through some commands, in their order. */
const announced = async (fixture: Fixture, steps: readonly Step[], given: Given = {}): Promise<string> => {
  const { announcementNo } = await done(fixture, announcement.save, form(fixture, given))
  for (const [version, step] of steps.entries()) await done(fixture, announcement[step], { announcementNo, version })
  return String(announcementNo)
}

const made = async (fixture: Fixture, steps: readonly Step[], given: Given = {}): Promise<Made> => {
  const no = await announced(fixture, steps, given)
  return { no, input: { announcementNo: no, version: steps.length } }
}

const inHours = (fixture: Fixture, hours: number) =>
  new Date(fixture.clock.now().getTime() + hours * 3_600_000).toISOString()

export default facts({
  machines: {
    announcement: {
      row: {
        announcementNo: 'AN1',
        titleEn: 'Office closed',
        contentEn: '<p>On Monday</p>',
        startTime: '2026-03-02T07:00:00Z',
        createdBy: 'U1',
        createdName: 'Grace',
        createdTime: '2026-03-02T07:00:00Z',
        updatedTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: announcement.save,
      make: async fixture => {
        const { no, input } = await made(fixture, [])
        return { no, input: { ...form(fixture), ...input } }
      },
    },
    { call: announcement.publish, make: fixture => made(fixture, [], { later: true }) },
    { call: announcement.abolish, make: fixture => made(fixture, ['publish']) },
    { call: announcement.restart, make: fixture => made(fixture, ['publish', 'abolish']) },
    { call: announcement.remove, make: fixture => made(fixture, []) },
  ],
  ways: [
    way('announcements begin and end by the clock, and come back after they were withdrawn', async fixture => {
      const later = { later: true, ends: inHours(fixture, 2) }
      await announced(fixture, ['publish'], later)
      await announced(fixture, ['publish', 'abolish'], later)
      await announced(fixture, ['publish', 'abolish', 'restart'], later)
      await announced(fixture, ['publish', 'abolish', 'restart'])
      await announced(fixture, ['remove'])
      await announced(fixture, ['publish'], { ends: later.ends })
      await fixture.pass(61)
      await fixture.tick('announcement.clock')
      // It ends before the clock has begun it.
      await announced(fixture, ['publish'], { later: true, ends: inHours(fixture, 1.02) })
      await fixture.pass(62)
      await fixture.tick('announcement.clock')
    }),
  ],
  lists: [
    {
      list: announcement.page,
      key: 'announcementNo',
      of: 'company',
      first: true,
      fill: async fixture => {
        const no = await announced(fixture, ['publish'])
        const end = maybe('end_time', `x.start_time + n % 4 * interval '1 day' + interval '300 days'`)
        const changes = `jsonb_build_object(${prefixed('announcement_no')}, ${at('start_time')}, ${at('updated_time')}, ${end}, 'title_en', 'Rates ' || n % 3, 'announcement_status', (array['published', 'abolished', 'expired'])[1 + n % 3])`
        await copied(fixture, 'announcement', `announcement_no = '${no}'`, changes)
      },
      means: { title: (row, text: string) => String(row.titles).toLowerCase().includes(text.trim().toLowerCase()) },
      holds: {
        key: 'announcementNo',
        query: sql`select announcement_no, concat_ws(' ', title_zh, title_en, title_sw) as titles from announcement`,
      },
    },
    {
      list: announcement.readers,
      key: 'receiptNo',
      of: 'company',
      means: { read: (row, read: boolean) => (row.readTime !== null) === read },
    },
  ],
  records: [{ fields: ['announcementNo', 'announcementNos'], table: 'announcement', key: 'announcement_no' }],
  calls: [
    ...Object.values(announcement)
      .filter(call => 'audit' in call || call === announcement.read || call === announcement.detail)
      .map(call => ({ call, about: 'announcements are ours, for readers of any merchant' })),
    { call: announcement.reach, about: 'counts people, and names none' },
    {
      call: announcement.readers.exporting!,
      otherPerm: 'who may read the list of readers may take it along: there is no code of its own',
    },
  ],
})
