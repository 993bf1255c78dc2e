import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { chunkHeaders } from '../../../core/contract/common/upload.ts'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { json } from '../../db/json.ts'
import { sweep } from '../../invariants/sweep.ts'
import { system } from '../../rights/actor.ts'
import { create } from '../../states/transition.ts'
import { attachTargets } from '../../systems/attach-targets.ts'
import { type Kit, openKit, type Person } from '../../testing/kit.ts'
import { uploadModule } from './module.ts'

const { upload, attach } = contract
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
/** Bytes of a piece in these tests. */
export const each = 65_536
export const perms = ['common:upload', 'common:attach', 'common:attach:delete', 'order:detail:view']

/** A server in memory that takes files in small pieces, with an order of each of two merchants. */
export const uploadKit = (dir = mkdtempSync(path.join(tmpdir(), 'mkopo-uploads-'))) => {
  const module = uploadModule({ dir, secret: Buffer.alloc(32, 7), chunkBytes: each }, attachTargets)
  let kit: Kit
  let grace: Person
  let hassan: Person

  const writeOrders = () =>
    kit.db.withTx(async tx => {
      await tx.exec(sql`
        insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
        values ('CU1', 'Grace Nakato', 'CF9001010000A1', '256772000031', 500000, 300000, ${tx.now})`)
      const { terms } = await tx.one(sql<{ terms: unknown }>`select terms from product where product_no = 'P1'`)
      for (const [orderNo, merchantNo] of [
        ['LO1', 'M1'],
        ['LO2', 'M2'],
      ] as const) {
        const order = {
          orderNo,
          thirdOrderNo: `T${orderNo}`,
          merchantNo,
          customerNo: 'CU1',
          productNo: 'P1',
          terms: json(terms),
          requestedAmount: 1000,
          loanAmount: 1000,
          actualLoanAmount: 1000,
          term: 14,
          installmentCount: 2,
          loanKind: 'first',
          applyTime: tx.now,
          statusTime: tx.now,
          payoutType: 'wallet',
          payoutSubtype: 'mtn',
          cardholderName: 'Grace Nakato',
        }
        await create(tx, 'order', order, { event: 'order.create' }, system('fixture'))
      }
    })

  beforeAll(async () => {
    kit = await openKit({ handmade: true, modules: [module] })
    await writeOrders()
    grace = await kit.person({ perms, name: 'Grace' })
    hassan = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'], name: 'Hassan' })
  }, 60_000)
  afterAll(async () => {
    await kit.close()
    rmSync(dir, { recursive: true, force: true })
  })

  type Announced = Partial<InputOf<typeof upload.token>>
  const announce = (bytes: Buffer, more: Announced = {}, as = grace) =>
    kit.call(
      upload.token,
      { purpose: 'image', fileName: 'photo.png', size: bytes.length, sha256: sha256(bytes), ...more },
      { as },
    )
  const begun = async (bytes: Buffer, more: Announced = {}, as = grace) => {
    const answer = await announce(bytes, more, as)
    expect(answer, answer.msg).toMatchObject({ code: 0 })
    return answer.data
  }
  const piece = (bytes: Buffer, no: number) => bytes.subarray(no * each, (no + 1) * each)
  const put = (
    { uploadNo, token }: { uploadNo: string; token: string },
    chunkNo: number,
    bytes: Buffer,
    o: { as?: Person; sha256?: string } = {},
  ) =>
    kit.call(
      upload.chunk,
      { uploadNo, chunkNo },
      {
        as: o.as ?? grace,
        bytes,
        headers: { [chunkHeaders.token]: token, [chunkHeaders.sha256]: o.sha256 ?? sha256(bytes) },
      },
    )
  const putAll = async (ticket: { uploadNo: string; token: string; chunkCount: number }, bytes: Buffer, as = grace) => {
    for (let no = 0; no < ticket.chunkCount; no++)
      expect(await put(ticket, no, piece(bytes, no), { as })).toMatchObject({ code: 0 })
  }
  const complete = (uploadNo: string, as = grace, key?: string) => kit.call(upload.complete, { uploadNo }, { as, key })
  /** A whole upload; returns the answer to its completion. */
  const sent = async (bytes: Buffer, more: Announced = {}, as = grace) => {
    const ticket = await begun(bytes, more, as)
    await putAll(ticket, bytes, as)
    return { uploadNo: ticket.uploadNo, answer: await complete(ticket.uploadNo, as) }
  }
  const statusOf = async (uploadNo: string) =>
    (
      await kit.db.read(tx =>
        tx.one(sql<{ status: string }>`select upload_status as status from upload where upload_no = ${uploadNo}`),
      )
    ).status
  const fetched = (uploadNo: string, as = grace) =>
    kit.app.request(`/api/hc/web/common/upload/${uploadNo}/file`, { headers: { token: as.token, language: 'en' } })
  const save = (uploadNo: string, objectNo = 'LO1', as = grace, attachType: 'selfie' | 'income' = 'income') =>
    kit.call(attach.save, { objectType: 'order', objectNo, uploadNo, attachType }, { as })
  const broken = () => sweep(kit.db, { files: dir })
  const collect = () =>
    kit.db.withTx(tx => module.scheduled?.[0]?.run(tx, { date: tx.today }) ?? Promise.reject(new Error('no job')))

  return {
    dir,
    names: () => readdirSync(dir),
    announce,
    begun,
    piece,
    put,
    putAll,
    complete,
    sent,
    statusOf,
    fetched,
    save,
    broken,
    collect,
    get kit() {
      return kit
    },
    get grace() {
      return grace
    },
    get hassan() {
      return hassan
    },
  }
}
