import { rmSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { imports } from '../../../core/contract/common/imports.ts'
import type { NetworkHandler, StepHandler } from '../../module.ts'
import { wipe } from '../../testing/wipe.ts'
import { header, importKit } from './import-fixture.ts'

const at = await importKit({ chunks: { checked: 50, taken: 2 } })
const { p, unclear, previewed, decide, detail, rows } = at

const files = async (n: number) => {
  const made = await unclear(n)
  const file = made.map(({ loanCode, orderNo }) => `${loanCode},${orderNo},success,SN-${loanCode},2026-03-02 12:00,,`)
  return { made, file: [header, ...file].join('\n') }
}
const queueOf = <H>(name: string) => at.own.queues!.find(one => one.queue === name) as unknown as H
const run = queueOf<StepHandler>('import.run')
const check = queueOf<NetworkHandler>('import.check')
const result = queueOf<NetworkHandler>('import.result')

/** A process that takes two rows in and dies: after its commit, or before it. */
const dies = async (importNo: string, committed: boolean) => {
  const work = p.db.withTx(async tx => {
    expect(await run.step(tx, { jobKey: '', payload: { importNo } })).toBe(true)
    if (!committed) throw new Error('killed')
  })
  if (committed) await work
  else await expect(work).rejects.toThrow('killed')
}
const confirmed = async (n: number) => {
  const { made, file } = await files(n)
  const { job } = await previewed(file)
  expect(await decide(imports.confirm, job.importNo)).toMatchObject({ code: 0 })
  return { made, importNo: job.importNo }
}
const firsts = () => rows(sql<object>`select parent_no, confirm_status from loan_code_confirm order by parent_no`)

describe('a runner that dies', () => {
  it('between rows, or in the middle of one, loses none and takes none in twice', async () => {
    const { made, importNo } = await confirmed(5)
    await dies(importNo, true)
    await dies(importNo, false)
    await dies(importNo, true)
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'running', rowsDone: 4, okCount: 4 })
    expect(await firsts()).toHaveLength(4)
    expect(await at.broken()).toEqual([])
    await at.worker.drain()
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'success', okCount: 5, failCount: 0 })
    expect(await firsts()).toEqual(
      made
        .map(({ loanCode }) => ({ parentNo: loanCode, confirmStatus: 'first_confirmed' }))
        .sort((a, b) => (a.parentNo < b.parentNo ? -1 : 1)),
    )
    expect(await at.broken()).toEqual([])
    expect(await rows(sql`select count(*)::int as n from approval where object_no = ${importNo}`)).toEqual([{ n: 1 }])
  })

  it('and is overtaken by another, does nothing that the other did', async () => {
    const { importNo } = await confirmed(3)
    const step = () => p.db.withTx(tx => run.step(tx, { jobKey: '', payload: { importNo } }))
    await Promise.all([step(), step(), step(), step(), step(), step()])
    await at.worker.drain()
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'success', okCount: 3 })
    expect(await firsts()).toHaveLength(3)
    expect(await rows(sql`select 1 from approval where object_no = ${importNo}`)).toHaveLength(1)
    expect(await at.broken()).toEqual([])
  })

  it('and whose job was set aside, is followed by another', async () => {
    const { importNo } = await confirmed(3)
    await dies(importNo, true)
    await p.db.withTx(tx => tx.exec(sql`update job set state = 'dead' where payload ->> 'importNo' = ${importNo}`))
    await at.worker.drain()
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'running', okCount: 2 })
    await at.tidied()
    await at.worker.drain()
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'success', okCount: 3 })
    expect(
      await rows(sql`select 1 from state_transition where event = 'worker.crash' and object_no = ${importNo}`),
    ).toHaveLength(1)
    expect(await at.broken()).toEqual([])
  })

  it('leaves other rows alone when one cannot be taken in at all', async () => {
    const { made, importNo } = await confirmed(3)
    await p.db.withTx(tx => tx.exec(sql`delete from gateway_attempt where parent_no = ${made[1]!.loanCode}`))
    await at.worker.drain()
    const { job, messages } = await detail(importNo)
    expect(job).toMatchObject({ importStatus: 'partial', okCount: 2, failCount: 1 })
    expect(messages).toMatchObject([
      {
        rowKey: made[1]!.loanCode,
        rowStatus: 'failed',
        messages: [{ words: 'Something went wrong: this row was not imported' }],
      },
    ])
    expect(await at.broken()).toEqual([])
    await p.db.withTx(tx => wipe(tx, 'loanOrder', 'journal', 'journalLine', 'ledgerBalance'))
  })
})

describe('a check that dies', () => {
  it('goes on behind the last rows that it looked at', async () => {
    const { file } = await files(2)
    const extra = Array.from({ length: 120 }, (_, n) => `LC-${n},LO-${n},success,S${n},2026-03-02 12:00,,`)
    const { data } = await at.bring([file, ...extra].join('\n'), { confirmDuplicate: true })
    const { importNo } = data
    const read = queueOf<NetworkHandler>('import.read')
    const prepared = await p.db.withTx(tx => read.before(tx, { jobKey: '', payload: { importNo } }))
    const answer = await read.send(prepared)
    await p.db.withTx(tx => read.after(tx, prepared, answer))
    const next = async () => {
      const looked = await p.db.withTx(tx => check.before(tx, { jobKey: '', payload: { importNo } }))
      return [looked, await check.send(looked)] as const
    }
    const first = await next()
    await p.db.withTx(tx => check.after(tx, ...first))
    await p.db.withTx(tx => check.after(tx, ...first))
    const second = await next()
    const killed = p.db.withTx(async tx => {
      await check.after(tx, ...second)
      await tx.flush()
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect((await detail(importNo)).job).toMatchObject({ importStatus: 'validating', rowCount: 122, rowsDone: 50 })
    await at.worker.drain()
    expect((await detail(importNo)).job).toMatchObject({
      importStatus: 'preview',
      rowsDone: 122,
      validCount: 2,
      wrongCount: 120,
    })
    expect(await at.broken()).toEqual([])
  })

  it('ends with words where what was read is gone', async () => {
    const { file } = await files(1)
    const { data } = await at.bring(file, { confirmDuplicate: true })
    const read = queueOf<NetworkHandler>('import.read')
    const prepared = await p.db.withTx(tx => read.before(tx, { jobKey: '', payload: { importNo: data.importNo } }))
    const answer = await read.send(prepared)
    await p.db.withTx(tx => read.after(tx, prepared, answer))
    rmSync(path.join(at.dir, 'imports'), { recursive: true })
    await at.worker.drain()
    expect((await detail(data.importNo)).job).toMatchObject({
      importStatus: 'failure',
      failReason: 'Something went wrong, try again',
    })
  })
})

it('writes the result again where its beginning was lost', async () => {
  const { importNo } = await confirmed(2)
  for (let more = true; more; ) more = await p.db.withTx(tx => run.step(tx, { jobKey: '', payload: { importNo } }))
  const prepared = await p.db.withTx(tx => result.before(tx, { jobKey: '', payload: { importNo } }))
  const answer = await result.send(prepared)
  await p.db.withTx(tx => result.after(tx, prepared, answer))
  rmSync(path.join(at.dir, 'imports'), { recursive: true })
  await at.worker.drain()
  expect(await at.resultOf(importNo)).toHaveLength(3)
})
