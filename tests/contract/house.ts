import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { contract, endpoints } from '../../core/contract/contract.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import type { Application } from '../../core/contract/intake.ts'
import { chunkHeaders } from '../../core/contract/upload.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'
import { neg } from '../../core/rules/money.ts'
import { eatDate, eatDateTime } from '../../core/rules/time.ts'
import { system } from '../../server/actor.ts'
import type { CollectGateway, CollectQueryAnswer } from '../../server/gateways/gateway.ts'
import { account, post } from '../../server/ledger.ts'
import { silentLog } from '../../server/log.ts'
import type { Deps } from '../../server/module.ts'
import { modules } from '../../server/modules/modules.ts'
import { fakeGateway, paid } from '../../server/modules/payout-fixture.ts'
import { noCollection } from '../../server/no-gateway.ts'
import { jobsOf } from '../../server/run.ts'
import { openKit, type Person } from '../../server/testing/kit.ts'
import { application, send } from '../../server/testing/partner.ts'
import { pdfOf } from '../../server/uploads/content/made-files.ts'
import { sender } from './http.ts'

const { audit, bankBatch, leave, loan, repay, common, view, upload, attach } = contract

/** Codes that handlers ask for besides the one of their endpoint. */
const further = ['audit:order:handleAny', 'audit:order:forceAllot']
const own = endpoints.flatMap(({ endpoint: { perm, anyPerm } }) => [...(perm ? [perm] : []), ...(anyPerm ?? [])])
/** Every code there is, with the right to check what a second person must agree to. */
export const everyPerm = [...new Set([...own, ...further])].flatMap(perm => [perm, `${perm}:check`])

const pending = { kind: 'pending' } as const
/** What a network says of money that a customer paid in: only its own reference. */
const newsOf: CollectGateway['parseCallback'] = (_, body) => {
  const { receipt } = JSON.parse(body) as { receipt?: string }
  return receipt ? { eventId: receipt, gatewayRef: receipt, externalId: null } : null
}

const partners = {
  M1: { productNo: 'P1', secret: 'secret-one' },
  M2: { productNo: 'P2', secret: 'secret-two' },
  /** Of the organisation of M2; there once {@link House.addSibling} was called. */
  M3: { productNo: 'P3', secret: 'secret-three' },
} as const
export type MerchantNo = keyof typeof partners

/** The whole server in memory with a network that does as it is told, and two people who may do everything. */
export const openHouse = async (
  o: Pick<Parameters<typeof openKit>[0], 'now' | 'url' | 'database' | 'handmade'> = {},
) => {
  const network = fakeGateway()
  const received: CollectQueryAnswer[] = []
  const files = mkdtempSync(path.join(tmpdir(), 'mkopo-files-'))
  const secretKey = Buffer.alloc(32)
  const deps: Deps = {
    clock: { now: () => kit.clock.now() },
    demo: true,
    exportDir: path.join(files, 'exports'),
    importDir: path.join(files, 'imports'),
    uploads: { dir: path.join(files, 'uploads'), secret: Buffer.alloc(32, 1) },
    secretKey,
    payout: { mtn_momo: network.gateway },
    collect: { mtn_momo: { ...noCollection, parseCallback: newsOf, query: async () => received.shift() ?? pending } },
  }
  const all = modules(deps)
  const kit = await openKit({ ...o, modules: all })
  const { db, call, clock } = kit
  const { worker } = jobsOf({ db, log: silentLog, modules: all })
  const ask = sender(kit.app, kit.stepUp)
  let applicants = 0
  let serials = 0
  let cards = 0

  const one = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.one(query))
  const rows = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.rows(query))
  const exec = (query: ReturnType<typeof sql>) => db.withTx(tx => tx.exec(query))

  /** A person who reviews, with the given rights or all of them. */
  const reviewer = async (p: Partial<Parameters<typeof kit.person>[0]> = {}): Promise<Person> => {
    const person = await kit.person({ perms: everyPerm, ...p })
    await exec(
      sql`insert into audit_person (user_no, queue_cap, auto_allocation) values (${person.userNo}, 10000, false)`,
    )
    return person
  }
  const boss = await reviewer({ sensitive: ['pii:unmask', 'pii:reveal:phone', 'pii:reveal:walletAccount'] })
  const second = await reviewer()

  const putIn = (fundAccountNo: string) =>
    db.withTx(tx => {
      const amount = '900000000.00'
      const lines = [
        { account: account.bank(fundAccountNo), amount },
        { account: account.ownerFunds('Nile Credit'), amount: neg(amount) },
      ]
      return post(tx, { code: 'P0', cause: `fund_account:${fundAccountNo}`, keys: {}, lines }, system('fixture'))
    })
  await putIn('FA1')

  /** Does once what a module does by the clock, to its end. */
  const tick = async (job: string): Promise<void> => {
    const { run } = all.flatMap(one => one.scheduled ?? []).find(one => one.job === job) ?? {}
    if (run) await db.withTx(tx => run(tx, { date: tx.today }))
    const { chunk } = all.flatMap(one => one.chunked ?? []).find(one => one.job === job) ?? {}
    if (!run && !chunk) throw new Error(`nothing is done by the clock as ${job}`)
    for (let cursor: string | null = null; chunk; ) {
      cursor = (await db.withTx(tx => chunk(tx, { date: tx.today, cursor }))).cursor
      if (cursor === null) return
    }
  }

  /** A second merchant of the organisation of M2, with a product, whose orders the first person reviews too. */
  const addSibling = () =>
    db.withTx(async tx => {
      await tx.exec(
        sql`insert into merchant (merchant_no, merchant_name, app_name, org_no, intake_secret) values ('M3', 'Shamba Credit', 'Shamba', 'O2', ${partners.M3.secret})`,
      )
      await tx.exec(
        sql`insert into product (product_no, product_name, merchant_no, terms) select 'P3', 'Quick loan P3', 'M3', terms from product where product_no = 'P2'`,
      )
      await tx.exec(sql`insert into fund_account_merchant values ('FA1', 'M3')`)
      await tx.exec(sql`insert into user_merchant values (${boss.userNo}, 'M3')`)
    })

  const must = <T extends { code: number; msg: string; data: unknown }>(answer: T): T['data'] => {
    const refused = (answer.data as { rows?: { code: number; msg: string }[] } | null)?.rows?.find(
      row => row.code !== 0,
    )
    if (answer.code !== 0 || refused) throw new Error(`${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`)
    return answer.data
  }

  /** The row of a machine, as the database has it. */
  const rowOf = async (name: MachineName, no: string) => {
    const m: Machine = machines[name]
    return one(sql<Record<string, unknown> & { version: number }>`
      select x.*, x.${sql.ref(m.status)} as status from ${sql.table(m.table)} x where x.${sql.ref(m.key)} = ${no}`)
  }
  const versionOf = async (name: MachineName, no: string) => (await rowOf(name, no)).version
  const statusOf = async (name: MachineName, no: string) => String((await rowOf(name, no)).status)

  /** Puts a row into a state without its history. */
  const force = (name: MachineName, no: string, state: string) => {
    const m: Machine = machines[name]
    return exec(sql`
      update ${sql.table(m.table)} set ${sql.ref(m.status)} = case when set_config('app.transition', 'on', true) = 'on' then ${state} end
      where ${sql.ref(m.key)} = ${no} and ${sql.ref(m.status)} <> ${state}`)
  }

  /** Lets time go by; who is signed in stays so. */
  const pass = async (minutes: number): Promise<void> => {
    clock.advance(minutes * 60_000)
    await exec(sql`update session set created_time = ${clock.now()}, last_seen_time = ${clock.now()}`)
  }

  /** Takes some codes away from a person for the length of an act. */
  const without = async (person: Person, perms: readonly string[], act: () => Promise<void>): Promise<void> => {
    const taken = await rows(sql<{ menuNo: string }>`
      select menu_no from role_menu join menu using (menu_no) where role_no = ${`R${person.userNo}`} and perms = any(${[...perms]})`)
    const numbers = taken.map(row => row.menuNo)
    await exec(sql`delete from role_menu where role_no = ${`R${person.userNo}`} and menu_no = any(${numbers})`)
    try {
      await act()
    } finally {
      for (const no of numbers)
        await exec(sql`insert into role_menu (role_no, menu_no) values (${`R${person.userNo}`}, ${no})`)
    }
  }

  const applied = new Map<string, Application>()

  /** An application that machine review has passed; of the customer of an earlier order where one is named. */
  const queueUp = async (merchantNo: MerchantNo = 'M1', earlier?: string): Promise<string> => {
    const { productNo, secret } = partners[merchantNo]
    const { customer: who, payout: to } = (earlier && applied.get(earlier)) || application(++applicants)
    const drawn = { ...application(++applicants), customer: who, payout: to }
    const { thirdOrderNo, customer, payout, device } = drawn
    network.holders.set(payout.walletAccount, payout.cardholderName)
    const body = {
      ...drawn,
      thirdOrderNo: `${merchantNo}-${thirdOrderNo}`,
      productNo,
      customer: { ...customer, monthlyIncome: '2000000.00' },
      device: { ...device, rooted: false, emulator: false },
    }
    const { orderNo } = must(await send(kit, body, { merchantNo, secret })) as { orderNo: string }
    applied.set(orderNo, drawn)
    await worker.drain()
    return orderNo
  }

  const allotted = async (merchantNo?: MerchantNo, who = boss, earlier?: string): Promise<string> => {
    const orderNo = await queueUp(merchantNo, earlier)
    must(await call(audit.allot, { orderNos: [orderNo], auditorNos: [who.userNo] }, { as: boss }))
    return orderNo
  }

  const opened = async (merchantNo?: MerchantNo, who = boss, earlier?: string) => {
    const orderNo = await allotted(merchantNo, who, earlier)
    const { auditTaskNo, leaseToken } = must(await call(audit.open, { orderNo }, { as: who })) as {
      auditTaskNo: string
      leaseToken: string
    }
    return { orderNo, auditTaskNo, leaseToken }
  }

  const decision = async (orderNo: string, leaseToken: string) => ({
    orderNo,
    leaseToken,
    version: await versionOf('order', orderNo),
    auditResult: 'pass' as const,
    approvalAmount: '200000.00',
    approvalTime: clock.now().toISOString(),
    faceConsistency: 'consistent' as const,
    answers: [],
  })

  /** An approved order whose code waits to be sent. */
  const approved = async (merchantNo?: MerchantNo, earlier?: string) => {
    const { orderNo, leaseToken } = await opened(merchantNo, boss, earlier)
    must(await call(audit.submit, await decision(orderNo, leaseToken), { as: boss }))
    const { loanCode } = await one(
      sql<{ loanCode: string }>`select loan_code from loan_code where order_no = ${orderNo}`,
    )
    return { orderNo, loanCode }
  }

  /** The account at a bank that pays for a merchant; there from the first time on. */
  const atBank = async (merchantNo: MerchantNo) => {
    const { isNew } = await one(
      sql<{ isNew: boolean }>`select not exists (select 1 from fund_account where fund_account_no = 'FA9') as is_new`,
    )
    if (isNew) {
      await exec(sql`insert into channel (channel, channel_name) values ('bank_file', 'Bank') on conflict do nothing`)
      await exec(sql`
        insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number, bank_name)
        values ('FA9', 'Bank payout', 'payout', 'Nile Credit', 'bank_file', '0140001112223', 'Stanbic Bank')`)
      await putIn('FA9')
    }
    await exec(sql`insert into fund_account_merchant values ('FA9', ${merchantNo}) on conflict do nothing`)
  }

  /** An approved order to an account at a bank, whose code waits for the file. */
  const waitingForFile = async (merchantNo: MerchantNo = 'M1') => {
    await atBank(merchantNo)
    const { orderNo, leaseToken } = await opened(merchantNo)
    await exec(sql`
      update loan_order set payout_type = 'bank', payout_subtype = 'bank_transfer', wallet_account = null, bank_name = 'Stanbic Bank', branch = 'Kampala Road',
        bank_card_no = ${`90300012345${String(++cards).padStart(3, '0')}`}, payout_verify = 'passed', version = version + 1 where order_no = ${orderNo}`)
    must(await call(audit.submit, await decision(orderNo, leaseToken), { as: boss }))
    return one(
      sql<{ orderNo: string; loanCode: string }>`select order_no, loan_code from loan_code where order_no = ${orderNo}`,
    )
  }

  /** What a person agrees to who makes the file of the account at the bank. */
  const bankFile = async (as = boss) => {
    const fundAccountNo = 'FA9'
    const { paymentCount, amount } = must(await call(bankBatch.accounts, {}, { as })).list.find(
      account => account.fundAccountNo === fundAccountNo,
    )!
    return { fundAccountNo, executionDate: eatDate(clock.now()), paymentCount, amount }
  }

  /** A payout file of one payment, made and not yet fetched. */
  const batched = async (merchantNo?: MerchantNo) => {
    const made = await waitingForFile(merchantNo)
    const { batchNo } = must(await call(bankBatch.create, await bankFile(), { as: boss }))
    return { ...made, batchNo }
  }

  /** A code that was sent; the network says what it is told to say, else only that it has it. */
  const sent = async (merchantNo?: MerchantNo, answer?: (typeof network.sends)[number]) => {
    const made = await approved(merchantNo)
    if (answer) network.sends.push(answer)
    await worker.drain()
    return made
  }

  const disbursed = async (merchantNo?: MerchantNo, earlier?: string) => {
    const made = await approved(merchantNo, earlier)
    const { walletAccount } = await one(
      sql<{ walletAccount: string }>`select wallet_account from loan_code where loan_code = ${made.loanCode}`,
    )
    network.sends.push(paid({ serialNo: `MP${++serials}`, payee: walletAccount }) as never)
    await worker.drain()
    return made
  }

  type Form = InputOf<typeof repay.trial>
  const typed = (orderNo: string, amount: string, repayType: Form['repayType'] = 'partial'): Form => ({
    orderNo,
    repayType,
    flows: [
      {
        paymentCode: '7000000001',
        paymentChannel: 'mtn_momo',
        serialNo: `SN${++serials}`,
        amount,
        entryTime: clock.now().toISOString(),
        writeOffAmount: amount,
      },
    ],
  })

  /** What the form of a write-off sends after its trial. */
  const tried = async (form: Form, as = boss): Promise<InputOf<typeof repay.commit>> => {
    const { trialKey, flags } = must(await call(repay.trial, form, { as })) as {
      trialKey: string
      flags: { confirmGreater: boolean; confirmLess: boolean }
    }
    return { ...form, version: await versionOf('order', form.orderNo), trialKey, ...flags }
  }

  const repaid = async (merchantNo?: MerchantNo, amount = '60000.00', repayType: Form['repayType'] = 'partial') => {
    const made = await disbursed(merchantNo)
    const commit = await tried(typed(made.orderNo, amount, repayType))
    const { repaymentNo } = must(await call(repay.commit, commit, { as: boss })) as { repaymentNo: string }
    return { ...made, repaymentNo }
  }

  const draftFlow = async (as = boss, paymentCode = '7000000002'): Promise<string> => {
    const entry = {
      paymentCode,
      paymentChannel: 'mtn_momo' as const,
      serialNo: `SN${++serials}`,
      amount: '50000.00',
      entryTime: clock.now().toISOString(),
      fundAccountNo: 'FA1',
    }
    return (must(await call(repay.flowSave, entry, { as })) as { flowNo: string }).flowNo
  }
  const receivedFlow = async (as = boss): Promise<string> => {
    const flowNo = await draftFlow(as)
    must(await call(repay.flowCommit, { flowNo, version: 0 }, { as }))
    return flowNo
  }

  const taskOf = (orderNo: string) =>
    one(
      sql<{
        auditTaskNo: string
      }>`select audit_task_no from audit_task where order_no = ${orderNo} order by allot_time desc limit 1`,
    )
  const overpaymentOf = async (orderNo: string) =>
    (
      await one(
        sql<{
          no: string
        }>`select overpayment_no as no from overpayment join loan_order using (customer_no) where order_no = ${orderNo}`,
      )
    ).no

  /** A request of the first person for a payout to be taken back. */
  const requested = async (merchantNo?: MerchantNo) => {
    const made = await disbursed(merchantNo)
    const version = await versionOf('loanCode', made.loanCode)
    const { approvalNo } = must(
      await call(loan.cancelPaid, { loanCode: made.loanCode, version, reason: 'wrong customer' }, { as: boss }),
    ) as { approvalNo: string }
    return { ...made, approvalNo }
  }
  /** An export of the first person that waits to be written. */
  const exported = async (): Promise<string> => {
    await worker.drain()
    const asked = { filters: {}, columns: ['orderNo', 'phone', 'loanAmount'], exportFormat: 'csv' as const }
    const { exportNo } = must(
      await call(audit.manageList.exporting as NonNullable<typeof audit.manageList.exporting>, asked, { as: boss }),
    ) as {
      exportNo: string
    }
    return exportNo
  }
  let sendings = 0
  type File = { fileName: string; bytes: Buffer; purpose: 'attachment' | 'image' | 'import' }
  const document = (): File => ({
    fileName: 'receipt.pdf',
    bytes: pdfOf(`/Sending ${++sendings}`),
    purpose: 'attachment',
  })
  /** A file that a person sent, piece by piece, and that was not looked at yet. */
  const receiving = async (as = boss, { fileName, bytes, purpose } = document()) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { purpose, fileName, size: bytes.length, sha256 }
    const { uploadNo, token } = must(await call(upload.token, file, { as })) as { uploadNo: string; token: string }
    const headers = { [chunkHeaders.token]: token, [chunkHeaders.sha256]: sha256 }
    must(await call(upload.chunk, { uploadNo, chunkNo: 0 }, { as, bytes, headers }))
    return uploadNo
  }
  const uploaded = async (as = boss, file = document()): Promise<string> => {
    const uploadNo = await receiving(as, file)
    must(await call(upload.complete, { uploadNo }, { as }))
    return uploadNo
  }
  /** A file of released orders with one payout that was sent. */
  const released = async (merchantNo?: MerchantNo, as = boss, minutes = 0): Promise<string> => {
    const { orderNo, loanCode } = await sent(merchantNo)
    if (minutes) await pass(minutes)
    const row = `${loanCode},${orderNo},success,SN-${loanCode},${eatDateTime(clock.now())}`
    const bytes = Buffer.from(`loanCode,orderNo,result,serialNo,payoutTime\n${row}\n`)
    return uploaded(as, { purpose: 'import', fileName: 'released.csv', bytes })
  }
  /** The same, brought; half an hour later it waits to be confirmed, before that there is nothing to confirm. */
  const brought = async (o: { merchantNo?: MerchantNo; minutes?: number } = {}, as = boss): Promise<string> => {
    const uploadNo = await released(o.merchantNo, as, o.minutes)
    const { importNo } = must(await call(loan.page.importing!.command, { uploadNo }, { as })) as { importNo: string }
    await worker.drain()
    return importNo
  }
  const attached = async (orderNo: string, as = boss): Promise<string> => {
    const uploadNo = await uploaded(as)
    must(await call(attach.save, { objectType: 'order', objectNo: orderNo, uploadNo, attachType: 'income' }, { as }))
    return uploadNo
  }
  const agree = async (approvalNo: string) =>
    must(await call(common.approve, { approvalNo, version: 0 }, { as: second }))

  let views = 0
  const savedView = async (as = boss): Promise<string> => {
    const given = {
      widget: 'mkopo-portal-home',
      viewName: `View ${++views}`,
      filters: {},
      columns: [],
      sort: 'orderNo',
    }
    return must(await call(view.saveAs, { ...given, density: null }, { as })).viewNo
  }

  let leaves = 0
  /** Leave that somebody has asked for, of a day of its own. */
  const leaveAsked = async (as = boss): Promise<string> => {
    const day = kit.clock.now().getTime() + ++leaves * 86_400_000
    const at = (hours: number) => new Date(day - (day % 86_400_000) + 86_400_000 + hours * 3_600_000).toISOString()
    const input = { leaveType: 'annual' as const, startTime: at(6), endTime: at(14) }
    return must(await call(leave.apply, input, { as })).leaveNo
  }

  return {
    ...kit,
    lists: all.flatMap(module => module.lists ?? []),
    leaveAsked,
    addSibling,
    secretKey,
    close: async () => {
      await kit.close()
      rmSync(files, { recursive: true })
    },
    network,
    received,
    approvals: all.flatMap(one => one.approvals ?? []),
    tick,
    worker,
    ask,
    one,
    rows,
    exec,
    boss,
    second,
    reviewer,
    must,
    rowOf,
    versionOf,
    statusOf,
    force,
    without,
    pass,
    queueUp,
    allotted,
    opened,
    decision,
    approved,
    sent,
    waitingForFile,
    bankFile,
    batched,
    disbursed,
    typed,
    tried,
    repaid,
    draftFlow,
    receivedFlow,
    taskOf,
    overpaymentOf,
    requested,
    exported,
    receiving,
    uploaded,
    released,
    brought,
    attached,
    agree,
    savedView,
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>
