import { setTimeout as pause } from 'node:timers/promises'
import { codes } from '../../core/contract/codes.ts'
import { contract } from '../../core/contract/contract.ts'
import { base, type Endpoint, type Envelope, type InputOf, type OutputOf } from '../../core/contract/endpoint.ts'
import { demoCodeAt } from '../../server/demo/authenticators.ts'
import { randomFrom } from '../../server/demo/random.ts'
import type { Person } from '../../server/testing/kit.ts'
import type { Desk } from './fixture.ts'
import type { Call, Journal } from './journal.ts'

const { repay, loan, common, user } = contract

type WorkerOptions = { desk: Desk; journal: Journal; url: string; seed: number; no: number; now: () => Date }

/** The server does not answer any more. */
class Gone extends Error {}

/** One clerk at work: receipts, write-offs, rollbacks with a checker, payouts sent again. What the server last answered decides what comes next. */
export const workerAt = ({ desk, journal, url, seed, no, now }: WorkerOptions) => {
  const random = randomFrom(seed * 1_000 + no)
  const drafts: string[] = []
  const asked: string[] = []
  let keys = 0
  let proof: string | undefined

  const newKey = () => `faults-${seed}-${no}-${String(++keys).padStart(6, '0')}`

  /** What may be asked as often as one likes. */
  const ask = async <E extends Endpoint>(as: Person, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
    const values = input as Record<string, unknown>
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
    const isPost = endpoint.method === 'POST'
    try {
      const response = await fetch(`${url}${base}${path}`, {
        method: endpoint.method,
        headers: { 'content-type': 'application/json', language: 'en', token: as.token },
        ...(isPost ? { body: JSON.stringify(values) } : {}),
        signal: AbortSignal.timeout(30_000),
      })
      const { code, data } = (await response.json()) as Envelope<OutputOf<E>>
      if (code !== 0) throw new Gone(`${path}: ${code}`)
      return data
    } catch (error) {
      throw error instanceof Gone ? error : new Gone(String(error))
    }
  }

  const prove = async () => {
    const { code } = demoCodeAt(now())
    proof = (await ask(desk.checker, user.stepUp, { code })).stepUp
    return proof
  }

  /** Takes in what an answer means for what comes next. */
  const learn = (call: Call, { code, data }: Envelope) => {
    if (code !== 0) return
    if (call.path === repay.flowSave.path) drafts.push((data as OutputOf<typeof repay.flowSave>).flowNo)
    if (call.path === repay.rollback.path) asked.push((data as OutputOf<typeof repay.rollback>).approvalNo)
  }

  /** Sends a call until its answer is one that is kept. */
  const finish = async (call: Call, first: Envelope | undefined, o: { patient?: true } = {}): Promise<Envelope> => {
    let envelope = first
    for (let round = 0; round < 40; round++) {
      if (!envelope && !o.patient) throw new Gone(call.path)
      if (!envelope) await pause(100)
      if (envelope && call.answer !== undefined) {
        learn(call, envelope)
        return envelope
      }
      if (envelope?.code === codes.stepUp) call.proof = await prove()
      envelope = await journal.again(call)
    }
    throw new Error(`${call.path} ${call.key} comes to no end: ${JSON.stringify(envelope)}`)
  }

  const command = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, as = desk.clerk) => {
    const { call, envelope } = await journal.begin(endpoint, input, { as, key: newKey(), proof })
    return finish(call, envelope)
  }

  const receipt = () => ({
    paymentChannel: 'mtn_momo' as const,
    serialNo: `SN${seed}-${no}-${keys}`,
    amount: `${random.int(1, 20) * 100}.00`,
    entryTime: new Date(now().getTime() - 60_000).toISOString(),
  })

  const save = () =>
    command(repay.flowSave, { ...receipt(), fundAccountNo: 'FA1', paymentCode: `7${String(no).padStart(9, '0')}` })

  const count = async () => {
    const flowNo = drafts.shift()
    if (flowNo) await command(repay.flowCommit, { flowNo, version: 0 })
  }

  const writeOff = async () => {
    const orderNo = random.pick(desk.repaid)
    const { order } = await ask(desk.clerk, repay.detail, { orderNo })
    const flows = [{ ...desk.receipt, writeOffAmount: `${random.int(1, 20) * 100}.00` }]
    const form = { orderNo, repayType: 'partial' as const, flows }
    const trial = await ask(desk.clerk, repay.trial, form)
    if (trial.refusal) return
    await command(repay.commit, { ...form, version: order.version, trialKey: trial.trialKey, ...trial.flags })
  }

  const rollBack = async () => {
    const orderNo = random.pick(desk.repaid)
    const { records } = await ask(desk.clerk, repay.detail, { orderNo })
    const newest = records.find(one => one.newest && one.recordStatus === 'posted' && !one.pendingApproval)
    if (!newest) return
    await command(repay.rollback, { repaymentNo: newest.repaymentNo, version: newest.version, reason: 'wrong order' })
  }

  const agree = async () => {
    const approvalNo = asked.shift()
    if (approvalNo) await command(common.approve, { approvalNo, version: 0 }, desk.checker)
  }

  const sendAgain = async () => {
    if (desk.payouts.length === 0) return
    const { loanCode } = random.pick(desk.payouts)
    await command(loan.retry, { loanCodes: [loanCode], accountChecked: true })
  }

  const deeds = [save, save, count, count, writeOff, writeOff, writeOff, rollBack, agree, agree, sendAgain]

  return {
    /** Asks again for what nobody knows the end of. */
    async settle() {
      const own = new Set([desk.clerk.userNo, desk.checker.userNo])
      for (const call of journal.unknown().filter(({ person }) => own.has(person.userNo)))
        await finish(call, await journal.again(call), { patient: true })
    },
    /** Works until the server stops answering, or `stop` is called. */
    async work(goOn: () => boolean): Promise<void> {
      try {
        while (goOn()) await random.pick(deeds)()
      } catch (error) {
        if (!(error instanceof Gone)) throw error
      }
    },
  }
}
export type Worker = ReturnType<typeof workerAt>
