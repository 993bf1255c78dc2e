import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRecord } from '../network/record.ts'
import { dayOf } from '../network/statement.ts'
import { type FileCase, isFileCase, isPaymentCase, type PaymentCase, refusalOf, type Step, stepsOf } from './cases.ts'
import { type Initiation, type Order, readInitiation, type Said, writeReport, writeStatement } from './messages.ts'

/** Money that really moved, in whole shillings. */
export type Movement = {
  kind: 'payout' | 'return'
  folder: string
  account: string
  externalId: string
  serialNo: string
  amount: number
  counterparty: string
  at: string
}

export type Scenario = { match: 'payee' | 'next'; value: string; code: PaymentCase | FileCase; variant: string | null }

type Chosen = { code: PaymentCase; variant: string | null }
type Refused = { code: FileCase; variant: string | null }
type Entry = { at: string } & (
  | { entry: 'clock'; seconds: number }
  | { entry: 'file'; folder: string; name: string; read: Initiation | null; refused: Refused | null; chosen: Chosen[] }
  | { entry: 'step'; externalId: string; moved?: Movement }
)
type Payment = Order & Chosen & { folder: string; msgId: string; debtor: string; from: number; done: number }

const dayMs = 86_400_000

/**
 * The bank itself: files that it found, payments that it made of them, and its own clock. All of it is rebuilt from the
 * record. Every account begins with `opening`, in whole shillings.
 */
export const openBank = ({ dir, folder: root, opening }: { dir: string; folder: string; opening: number }) => {
  const record = openRecord<Entry>(dir, 'bank')
  const seen = new Set<string>()
  const payments = new Map<string, Payment>()
  const moved: Movement[] = []
  let scenarios: Scenario[] = []
  let skew = 0
  let answers = 0
  let running: Promise<void> = Promise.resolve()

  const now = () => Date.now() + skew
  const stamp = () => new Date(now()).toISOString()
  const movementOf = (payment: Payment, after: number, kind: Movement['kind'] = 'payout'): Movement => ({
    kind,
    folder: payment.folder,
    account: payment.debtor,
    externalId: payment.externalId,
    serialNo: `FT${String(moved.length + 1).padStart(8, '0')}`,
    amount: payment.amount,
    counterparty: payment.account,
    at: new Date(payment.from + after * 1000).toISOString(),
  })

  const register = (entry: Extract<Entry, { entry: 'file' }>) => {
    seen.add(`${entry.folder}/${entry.name}`)
    const { folder, read, refused, chosen, at } = entry
    if (!read || refused) return
    for (const [index, order] of read.payments.entries()) {
      const base = { folder, msgId: read.msgId, debtor: read.debtor, from: Date.parse(at), done: 0 }
      payments.set(order.externalId, { ...order, ...(chosen[index] as Chosen), ...base })
    }
  }
  for (const entry of record.entries) {
    if (entry.entry === 'clock') skew += entry.seconds * 1000
    if (entry.entry === 'file') register(entry)
    if (entry.entry === 'step') {
      const payment = payments.get(entry.externalId)
      if (payment) payment.done += 1
      if (entry.moved) moved.push(entry.moved)
    }
  }

  /** Lays a file into the folder of an account, whole. */
  const lay = (folder: string, name: string, text: string, into: 'in' | 'statements' = 'in') => {
    const place = join(root, folder, into)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `${name}.part`), text)
    renameSync(join(place, `${name}.part`), join(place, `${name}.xml`))
  }
  const report = (folder: string, o: Omit<Parameters<typeof writeReport>[0], 'answerNo' | 'created'>, copies = 1) => {
    const answerNo = `ANS${process.pid}${++answers}`
    const text = writeReport({ ...o, answerNo, created: stamp() })
    for (let copy = 1; copy <= copies; copy++) lay(folder, copy === 1 ? answerNo : `${answerNo}-${copy}`, text)
  }

  const chosenFor = ({ account }: Order): Chosen => {
    const found = scenarios.find(({ match, value }) => match === 'payee' && value === account)
    return found && isPaymentCase(found.code)
      ? { code: found.code, variant: found.variant }
      : { code: 'G01', variant: null }
  }
  const nextRefused = (): Refused | null => {
    const found = scenarios.find(({ match, code }) => match === 'next' && isFileCase(code))
    scenarios = scenarios.filter(one => one !== found)
    return found && isFileCase(found.code) ? { code: found.code, variant: found.variant } : null
  }

  const step = (payment: Payment, movement?: Movement) => {
    record.append({
      entry: 'step',
      at: stamp(),
      externalId: payment.externalId,
      ...(movement ? { moved: movement } : {}),
    })
    payment.done += 1
    if (movement) moved.push(movement)
  }

  const take = async (folder: string, name: string) => {
    const read = await readInitiation(readFileSync(join(root, folder, 'out', name), 'utf8')).catch(() => null)
    const again = read?.payments.some(({ externalId }) => payments.has(externalId))
    const refused: Refused | null =
      read === null
        ? { code: 'G26', variant: 'schema' }
        : again
          ? { code: 'G26', variant: 'duplicateLost' }
          : nextRefused()
    const chosen = read?.payments.map(chosenFor) ?? []
    const entry = { entry: 'file', at: stamp(), folder, name, read, refused, chosen } as const
    record.append(entry)
    register(entry)
    const msgId = read?.msgId ?? name.replace(/\.xml$/, '')
    if (!refused) return report(folder, { msgId, group: { status: 'ACTC' }, said: [] })
    const { reason, moves } = refusalOf(refused.code, refused.variant)
    if (moves && read) for (const order of read.payments) runs(folder, read, order)
    report(folder, { msgId, group: { status: 'RJCT', reason }, said: [] })
  }
  /** The money of a payment moves although its file is refused. */
  const runs = (folder: string, { msgId, debtor }: Initiation, order: Order) => {
    const payment = {
      ...order,
      code: 'G25',
      variant: 'silentPaid',
      folder,
      msgId,
      debtor,
      from: now(),
      done: 0,
    } as const
    payments.set(order.externalId, { ...payment })
    step(payments.get(order.externalId) as Payment, movementOf(payment, 0))
  }

  const saidOf = (payment: Payment, { say, reason }: Step, serialNo: string | undefined): Said => ({
    externalId: payment.externalId,
    status: say ?? '',
    amount: payment.amount,
    ...(reason ? { reason } : {}),
    ...(serialNo ? { serialNo } : {}),
  })
  const perform = (payment: Payment, due: Step) => {
    const kind = due.comesBack ? 'return' : due.say === 'ACSC' || due.moves ? 'payout' : undefined
    const movement = kind && movementOf(payment, due.after, kind)
    step(payment, movement)
    if (!due.say) return
    const said = saidOf(payment, due, movement?.serialNo)
    const { folder, msgId } = payment
    if (due.lie === 'foreign') report(folder, { msgId: `NOT${msgId}`.slice(0, 35), said: [said] })
    else if (due.lie === 'amount') report(folder, { msgId, said: [{ ...said, amount: said.amount + 1000 }] })
    else report(folder, { msgId, said: [said] }, due.lie === 'twice' ? 2 : 1)
  }

  /** Lays down the statement of every day that is over and of which there is none yet, since money first moved. */
  const tellDays = (account: string) => {
    const own = moved.filter(one => one.account === account)
    const [first] = own
    if (!first) return
    let balance = opening
    for (let at = Date.parse(first.at); dayOf(new Date(at).toISOString()) < dayOf(stamp()); at += dayMs) {
      const date = dayOf(new Date(at).toISOString())
      const entries = own
        .filter(one => dayOf(one.at) === date)
        .map(({ kind, serialNo, amount, at, externalId, counterparty }) => {
          const returned = kind === 'return'
          const direction = returned ? ('in' as const) : ('out' as const)
          return { serialNo, direction, amount, at, externalId, account: counterparty, returned }
        })
      const name = `${account}-${date}`
      if (!existsSync(join(root, first.folder, 'statements', `${name}.xml`)))
        lay(
          first.folder,
          name,
          writeStatement({ account, date, created: stamp(), opening: balance, entries }),
          'statements',
        )
      balance = entries.reduce((sum, { direction, amount }) => sum + (direction === 'in' ? amount : -amount), balance)
    }
  }

  const filesIn = (folder: string): string[] => {
    try {
      return readdirSync(join(root, folder, 'out')).filter(
        name => name.endsWith('.xml') && !seen.has(`${folder}/${name}`),
      )
    } catch {
      return []
    }
  }
  /** Looks for new files and does what is due. */
  const tick = async () => {
    for (const folder of readdirSync(root)) for (const name of filesIn(folder)) await take(folder, name)
    for (const payment of payments.values()) {
      const steps = stepsOf(payment.code, payment.variant)
      for (let due = steps[payment.done]; due && now() - payment.from >= due.after * 1000; due = steps[payment.done])
        perform(payment, due)
    }
    for (const account of new Set(moved.map(one => one.account))) tellDays(account)
  }

  return {
    now,
    moved: moved as readonly Movement[],
    /** Rounds follow one another; resolves when everything that is due by now is done. */
    round(): Promise<void> {
      const next = running.then(tick)
      running = next.catch(() => undefined)
      return next
    },
    set(scenario: Scenario) {
      scenarios = [...scenarios.filter(one => one.match === 'next' || one.value !== scenario.value), scenario]
    },
    moveClock(seconds: number) {
      record.append({ entry: 'clock', at: stamp(), seconds })
      skew += seconds * 1000
    },
    close: () => record.close(),
  }
}
