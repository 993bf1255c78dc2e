import { nameOf } from '../people.ts'
import type { Network } from './network.ts'
import type { Movement } from './record.ts'

/** The day in Kampala, UTC+3 all year. */
export const dayOf = (iso: string): string => new Date(Date.parse(iso) + 3 * 3_600_000).toISOString().slice(0, 10)
const minuteOf = (iso: string): string =>
  new Date(Date.parse(iso) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
export const twoPlaces = (amount: number): string => `${amount}.00`

const columns = [
  'serialNo',
  'entryTime',
  'amount',
  'direction',
  'paymentCode',
  'payerName',
  'payerAccount',
  'narrative',
  'fee',
  'balance',
] as const
type Line = { [column in (typeof columns)[number]]: string }

type Moved = Movement & { at: string }

/** What stands on the statement of an account and day, with the balance after each movement. It may leave out what really happened. */
const dayOn = (network: Network, account: string, date: string) => {
  let balance = 0
  let opening = 0
  const shown: { movement: Moved; balance: number }[] = []
  for (const movement of network.moved) {
    if (movement.account !== account || !movement.onStatement) continue
    const day = dayOf(movement.at)
    if (day > date) continue
    balance += (movement.direction === 'in' ? movement.amount : -movement.amount) - movement.fee
    if (day < date) opening = balance
    else shown.push({ movement, balance })
  }
  return { opening, closing: balance, shown }
}

/** What the network writes about one account and day. */
export const statementOf = (network: Network, account: string, date: string) => {
  const { opening, closing, shown } = dayOn(network, account, date)
  const lines = shown.map(
    ({ movement, balance }): Line => ({
      serialNo: movement.serialNo,
      entryTime: minuteOf(movement.at),
      amount: twoPlaces(movement.amount),
      direction: movement.direction,
      paymentCode: movement.kind === 'payIn' ? movement.externalId : '',
      payerName: movement.counterparty && nameOf(movement.counterparty),
      payerAccount: movement.counterparty,
      narrative: [movement.kind, movement.externalId].filter(Boolean).join(' '),
      fee: twoPlaces(movement.fee),
      balance: twoPlaces(balance),
    }),
  )
  return { account, date, opening: twoPlaces(opening), closing: twoPlaces(closing), lines }
}

/** One line of the download: a fee stands on a line of its own. `relatesTo`: the number of the payment that is charged for, or taken back. */
export type DownloadLine = {
  kind: Movement['kind'] | 'fee'
  serialNo: string
  at: string
  direction: 'in' | 'out'
  amount: number
  externalId: string
  counterparty: string
  relatesTo: string
}

const firstOf = (network: Network, { ref, kind }: Moved): string =>
  kind === 'reversal' || kind === 'return' ? (network.moved.find(one => one.ref === ref)?.serialNo ?? '') : ''

/** The statement of one account and day as staff, or a program, download it. */
export const downloadOf = (network: Network, account: string, date: string) => {
  const { opening, closing, shown } = dayOn(network, account, date)
  const lines = shown.flatMap(({ movement }): DownloadLine[] => {
    const { kind, serialNo, at, direction, amount, fee, externalId, counterparty } = movement
    const own = {
      kind,
      serialNo,
      at,
      direction,
      amount,
      externalId,
      counterparty,
      relatesTo: firstOf(network, movement),
    }
    const charged = { ...own, kind: 'fee' as const, direction: 'out' as const, amount: fee, relatesTo: serialNo }
    return fee > 0 ? [own, charged] : [own]
  })
  return { opening, closing, lines }
}

const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

export const csvOf = (lines: readonly Line[]): string =>
  [columns.join(','), ...lines.map(line => columns.map(column => cell(line[column])).join(','))]
    .join('\r\n')
    .concat('\r\n')
