import type { Books } from './books.ts'

export type Movement = {
  kind: string
  account: string
  externalId: string
  serialNo: string
  amount: string
  code: string | null
}

/** The case in which the network pays and never says so: the money stays in flight until two people read the statement. */
const mute = 'G21'

const shillings = (amount: string) => Math.round(Number(amount))
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + shillings(amount), 0)
const groups = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const found = new Map<string, T[]>()
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row])
  return found
}

export type Verdict = {
  wrong: string[]
  payouts: number
  exceptions: number
  openDifferences: number
  payIns: number
  repeatedSerials: number
}

/**
 * Compares what really moved at the network with the books: every movement is one entry, every entry one movement, and the
 * account is what the network says, to the shilling.
 */
export const judge = (moved: readonly Movement[], books: Books): Verdict => {
  const wrong: string[] = []
  const paid = moved.filter(one => one.kind === 'payout')
  const attempts = new Map(books.attempts.map(one => [one.externalId, one]))
  const bySend = groups(paid, one => one.externalId)
  let [exceptions, openDifferences] = [0, 0]

  for (const [externalId, movements] of bySend) {
    const attempt = attempts.get(externalId)
    if (!attempt) wrong.push(`${externalId} was paid and is not in the books`)
    if (movements.length > 1) wrong.push(`${externalId} moved ${movements.length} times`)
    if (!attempt) continue
    if (sum(movements.map(one => one.amount)) !== shillings(attempt.amount))
      wrong.push(`${externalId} moved another amount`)
    const isException = shillings(attempt.exception) !== 0
    const isPayout = attempt.attemptStatus === 'succeeded' && !isException
    const isMute = movements.some(one => one.code === mute)
    const isOpen = attempt.attemptStatus === 'unknown' && (attempt.differs || isMute)
    if (isException && attempt.exception !== attempt.amount)
      wrong.push(`${externalId} is held apart with another amount`)
    if (!isException && !isPayout && !isOpen)
      wrong.push(`${externalId} was paid and is ${attempt.attemptStatus} (${movements[0]?.code})`)
    exceptions += isException ? 1 : 0
    openDifferences += isOpen ? 1 : 0
  }
  for (const { externalId, attemptStatus, exception } of books.attempts)
    if ((attemptStatus === 'succeeded' || shillings(exception) !== 0) && !bySend.has(externalId))
      wrong.push(`${externalId} is ${attemptStatus} and never moved`)

  const counted = new Map(books.payouts.map(one => [one.loanCode, one]))
  for (const { loanCode, count } of books.payouts) if (count !== 1) wrong.push(`${loanCode} was booked ${count} times`)
  for (const [orderNo, own] of groups(books.attempts, one => one.orderNo)) {
    const taken = own.filter(one => bySend.has(one.externalId) && shillings(one.exception) === 0)
    if (taken.length > 1) wrong.push(`${orderNo} was paid twice by us: ${taken.map(one => one.externalId).join(', ')}`)
    const succeeded = own.filter(one => one.attemptStatus === 'succeeded' && shillings(one.exception) === 0)
    for (const one of succeeded)
      if (!counted.has(one.externalId.slice(0, one.externalId.lastIndexOf('-'))))
        wrong.push(`${one.externalId} is nobody's principal`)
  }

  const received = moved.filter(one => one.kind === 'payIn')
  const flows = new Map(books.flows.map(one => [one.serialNo, one]))
  let repeatedSerials = 0
  for (const [serialNo, movements] of groups(received, one => one.serialNo)) {
    const flow = flows.get(serialNo)
    if (!flow) {
      wrong.push(`${serialNo} came and is not in the books`)
      continue
    }
    const first = movements.find(one => shillings(one.amount) === shillings(flow.amount))
    if (!first) wrong.push(`${serialNo} was booked with another amount`)
    const rest = movements.filter(one => one !== first)
    repeatedSerials += rest.length
    if (rest.some(one => shillings(one.amount) !== shillings(flow.amount)) && !flow.differs)
      wrong.push(`${serialNo} came twice with other amounts, and no difference was opened`)
  }
  for (const { serialNo } of books.flows)
    if (!received.some(one => one.serialNo === serialNo)) wrong.push(`${serialNo} is in the books and never came`)

  const inFlight = books.attempts.filter(one => one.current && ['remitting', 'unknown'].includes(one.loanCodeStatus))
  const unmoved = sum(inFlight.filter(one => !bySend.has(one.externalId)).map(one => one.amount))
  const unbooked = sum(received.map(one => one.amount)) - sum(books.flows.map(one => one.amount))
  const atNetwork = shillings(books.opening) + sum(received.map(one => one.amount)) - sum(paid.map(one => one.amount))
  if (shillings(books.bank) !== atNetwork - unmoved - unbooked)
    wrong.push(
      `the account holds ${books.bank}, the network says ${atNetwork}, of which ${unmoved} is reserved and ${unbooked} repeats a serial number`,
    )
  return { wrong, payouts: books.payouts.length, exceptions, openDifferences, payIns: received.length, repeatedSerials }
}
