import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect } from 'vitest'
import { loan } from '../../../core/contract/after-loan/loan.ts'
import { imports } from '../../../core/contract/common/imports.ts'
import { base, type Envelope } from '../../../core/contract/endpoint.ts'
import { notFound } from '../../http/fault.ts'
import { importInvariants } from '../../invariants/imports.ts'
import { silentLog } from '../../log.ts'
import type { Module } from '../../module.ts'
import { jobsOf } from '../../run.ts'
import { messageModule } from '../../systems/portal/message/message.ts'
import type { Person } from '../../testing/kit.ts'
import { payoutsForTests } from '../../testing/suites.ts'
import type { StoredFile } from '../uploads/stored.ts'
import { importModule } from './module.ts'
import type { Chunks } from './read-job.ts'
import type { Uploads } from './request.ts'

const importing = loan.page.importing!
export const makerPerms = ['fund:payout:page', 'fund:payout:import']
export const checkerPerms = ['fund:payout:page', 'fund:payout:import:check']
export const header = 'loanCode,orderNo,result,serialNo,payoutTime,amount,failReason'

/** A server that pays out and imports files, with two people of finance. */
export const importKit = async ({ chunks, ...o }: { url?: string; chunks?: Chunks } = {}) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-imports-'))
  const stored = new Map<string, StoredFile>()
  const released: string[] = []
  const found = (uploadNo: string): StoredFile => {
    const file = stored.get(uploadNo)
    if (!file) throw notFound()
    return file
  }
  const uploads: Uploads = {
    take: async (_tx, _call, uploadNo) => found(uploadNo),
    pathOf: async (_tx, uploadNo) => found(uploadNo).path,
    release: async (_tx, uploadNo) => void released.push(uploadNo),
  }
  let own: Module | undefined
  const more = (payouts: Module) => [
    (own = importModule(path.join(dir, 'imports'), payouts.imports ?? [], uploads, chunks)),
    messageModule(),
  ]
  const p = await payoutsForTests({ ...o, more })
  const { worker } = jobsOf({ db: p.db, log: silentLog, modules: p.modules })
  let people: { maker: Person; checker: Person } | undefined
  beforeEach(async () => {
    people ??= {
      maker: await p.person({ perms: makerPerms, name: 'Finance One' }),
      checker: await p.person({ perms: checkerPerms, name: 'Finance Two' }),
    }
  })
  afterAll(() => rmSync(dir, { recursive: true }))
  const who = () => people as NonNullable<typeof people>

  /** Payouts that nobody has known the end of for some hours. */
  const unclear = async (n: number) => {
    const made = []
    for (let at = 0; at < n; at++) made.push(await p.approved())
    await p.run()
    await p.db.withTx(tx => tx.exec(sql`update loan_order set audit_time = ${tx.now}`))
    await pass(24 * 60)
    return made
  }
  /** Lets time go by; who is signed in stays so. */
  const pass = async (minutes: number) => {
    p.clock.advance(minutes * 60_000)
    await p.db.withTx(tx =>
      tx.exec(sql`update session set last_seen_time = ${p.clock.now()}, created_time = ${p.clock.now()}`),
    )
  }

  /** Lets the minute strike at which old previews and results go. */
  const tidied = () => p.db.withTx(tx => (own as Module).scheduled![0]!.run(tx, { date: tx.today }))

  let files = 0
  const upload = (content: Buffer | string, fileName = 'released.csv'): string => {
    const bytes = Buffer.from(content)
    const uploadNo = `UP${++files}`
    const file = path.join(dir, uploadNo)
    writeFileSync(file, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    stored.set(uploadNo, { uploadNo, fileName, sha256, size: bytes.length, path: file })
    return uploadNo
  }
  const bring = (content: Buffer | string, more: { fileName?: string; as?: Person; confirmDuplicate?: boolean } = {}) =>
    p.call(
      importing.command,
      {
        uploadNo: upload(content, more.fileName),
        ...(more.confirmDuplicate === undefined ? {} : { confirmDuplicate: more.confirmDuplicate }),
      },
      { as: more.as ?? who().maker },
    )
  const detail = async (importNo: string, as = who().maker, language: 'en' | 'zh' | 'sw' = 'en') => {
    const { code, msg, data } = await p.call(imports.detail, { importNo }, { as, language })
    expect(code, msg).toBe(0)
    return data
  }
  const statusOf = async (importNo: string) => (await detail(importNo)).job.importStatus
  /** Brings a file and lets it be looked at. */
  const previewed = async (content: Buffer | string, more: Parameters<typeof bring>[1] = {}) => {
    const { code, msg, data } = await bring(content, { confirmDuplicate: true, ...more })
    expect(code, msg).toBe(0)
    await worker.drain()
    return detail(data.importNo, more.as)
  }
  const decide = (command: typeof imports.confirm | typeof imports.cancel, importNo: string, as = who().maker) =>
    detail(importNo, as).then(({ job }) => p.call(command, { importNo, version: job.version }, { as }))
  /** Confirms an import and lets it run. */
  const ran = async (importNo: string, as = who().maker) => {
    expect(await decide(imports.confirm, importNo, as)).toMatchObject({ code: 0, data: { importStatus: 'running' } })
    await worker.drain()
    return detail(importNo, as)
  }
  const fetched = (importNo: string, as = who().maker) =>
    p.app.request(`${base}/common/import/${importNo}/file`, { headers: { token: as.token, language: 'en' } })
  const resultOf = async (importNo: string) =>
    (await (await fetched(importNo)).text()).replace('\uFEFF', '').split('\r\n').slice(0, -1)
  const refusal = async (importNo: string, as?: Person) => (await (await fetched(importNo, as)).json()) as Envelope
  const rows = <T>(query: ReturnType<typeof sql<T>>) => p.db.read(tx => tx.rows(query))
  const broken = async () => {
    const found = []
    for (const { name, broken } of importInvariants)
      for (const row of await p.db.read(tx => tx.rows(broken))) found.push({ name, row })
    return found
  }

  return {
    p,
    dir,
    own: own as Module,
    worker,
    tidied,
    released,
    who,
    unclear,
    pass,
    upload,
    bring,
    detail,
    statusOf,
    previewed,
    decide,
    ran,
    fetched,
    resultOf,
    refusal,
    rows,
    broken,
  }
}
