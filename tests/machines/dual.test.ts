import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import type { Key } from '../../core/i18n/index.ts'
import { languages } from '../../core/i18n/language.ts'
import { text } from '../../core/i18n/server.ts'
import { all } from '../../server/testing/all-facts.ts'
import type { Person } from '../../server/testing/kit.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { type Fixture, openFixture } from '../contract/fixture.ts'

const { common, leave, loan } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture({ handmade: true })
})
afterAll(() => fixture.close())

it('asks for every action that waits for a second person', () => {
  expect(all.approvals.map(one => one.action).sort()).toEqual(fixture.approvals.map(one => one.action).sort())
})

describe.each(all.approvals)('$action', ({ action, ask }) => {
  let input: { approvalNo: string; version: number }
  let written: () => Promise<string[]>
  const approve = (as: Person) => fixture.ask(common.approve, input, { as })
  const reject = (as: Person) => fixture.ask(common.reject, { ...input, reason: 'not so' }, { as })
  const change = (set: ReturnType<typeof sql>) =>
    fixture.exec(sql`update approval set ${set} where approval_no = ${input.approvalNo}`)

  beforeAll(async () => {
    input = { approvalNo: await ask(fixture), version: 0 }
    written = await writesOf(fixture.db, ['role_menu'])
  })

  it.each(languages)('is shown in words of %s, with the way to its record', async language => {
    const asked = { box: 'all', approvalStatus: ['pending'], pageSize: 100 } as const
    const { list } = (
      await fixture.call(common.approvals, { ...asked, approvalStatus: ['pending'] }, { as: fixture.second, language })
    ).data
    const shown = list.find(one => one.approvalNo === input.approvalNo)
    expect(text(language, `afterLoan.approval.${action}` as Key)).not.toContain('approval.')
    expect(shown?.summary.length).toBeGreaterThan(0)
    for (const { label, before, after } of shown?.summary ?? []) {
      expect(label).not.toMatch(/^(fields|dict|afterLoan)\./)
      for (const words of [before, after]) expect(words ?? '').not.toMatch(/^(\d+\.\d\d|[a-z]+_[a-z_]+|\w+\.\w+\.\w+)$/)
    }
    if (shown?.orderNo ?? ['loanCode', 'flow'].includes(String(shown?.objectType)))
      expect(shown?.route).toContain('/AdminContent/')
  })

  it('is neither agreed to nor rejected by its maker, who holds every right, and nothing changes', async () => {
    for (const decide of [approve, reject])
      expect(await decide(fixture.boss)).toMatchObject({ code: 40301, data: null })
    expect(await written()).toEqual([])
  })

  it('is not agreed to by somebody with the maker’s right alone', async () => {
    const { perm } = fixture.approvals.find(one => one.action === action)!
    await fixture.without(fixture.second, [`${perm}:check`], async () => {
      for (const decide of [approve, reject]) expect((await decide(fixture.second)).code).toBe(40301)
    })
    expect(await written()).toEqual([])
  })

  it('is not agreed to by the maker in the database either', async () => {
    const set = sql`checker_no = maker_no, checker_name = maker_name`
    await expect(change(set)).rejects.toThrow(/approval_check/)
    await expect(
      change(
        sql`${set}, approval_status = case when set_config('app.transition', 'on', true) = 'on' then 'approved' end`,
      ),
    ).rejects.toThrow(/approval_check/)
    expect(await written()).toEqual([])
  })

  it('is not done when what was asked for was changed behind its back', async () => {
    const [{ payload }] = (await fixture.rows(
      sql<{ payload: object }>`select payload from approval where approval_no = ${input.approvalNo}`,
    )) as [{ payload: object }]
    await change(sql`payload = payload || '{"reason": "another"}'`)
    await written()
    expect((await approve(fixture.second)).code).toBe(50001)
    expect(await written()).toEqual([])
    await change(sql`payload = ${JSON.stringify(payload)}::jsonb`)
  })

  it('is done when a second person agrees, once', async () => {
    expect((await approve(fixture.second)).data).toMatchObject({ approvalStatus: 'executed' })
    await written()
    expect(await approve(fixture.second)).toMatchObject({ code: 40901, data: { status: 'executed' } })
    expect(await written()).toEqual([])
  })
})

describe('what became of a payout that the network left open', () => {
  it('is said by two people, and by one of them only once, also in the database', async () => {
    const { loanCode } = await fixture.sent()
    await fixture.pass(31)
    const statementDate = fixture.clock.now().toISOString().slice(0, 10)
    const say = async (as: Person) => {
      const version = await fixture.versionOf('loanCode', loanCode)
      const evidence = await fixture.uploaded(as)
      const statement = { result: 'success', serialNo: `MP-${loanCode}`, statementDate }
      const written = await writesOf(fixture.db)
      return { written, heard: await fixture.ask(loan.confirm, { loanCode, version, evidence, ...statement }, { as }) }
    }
    expect((await say(fixture.second)).heard.code).toBe(0)
    const { written, heard } = await say(fixture.second)
    expect(heard.code).toBe(40301)
    expect(await written()).toEqual([])
    const byOne = sql`update loan_code_confirm set second_by = first_by where parent_no = ${loanCode}`
    await expect(fixture.exec(byOne)).rejects.toThrow(/loan_code_confirm_check/)
    expect((await say(fixture.boss)).heard.data).toMatchObject({
      confirmStatus: 'confirmed',
      loanCodeStatus: 'success',
    })
  })
})

describe('leave', () => {
  it('is not decided by a person who is off, not even in the database', async () => {
    const leaveNo = await fixture.leaveAsked(fixture.second)
    const input = { leaveNo, version: 0, result: 'approve' }
    const written = await writesOf(fixture.db)
    const own = await fixture.ask(leave.audit, input, { as: fixture.second })
    expect(own.code).toBe(40301)
    await expect(
      fixture.exec(sql`update leave_apply set auditor_no = user_no, auditor_name = 'x' where leave_no = ${leaveNo}`),
    ).rejects.toThrow(/leave_apply_check/)
    expect(await written()).toEqual([])
    expect((await fixture.ask(leave.audit, input, { as: fixture.boss })).code).toBe(0)
  })
})
