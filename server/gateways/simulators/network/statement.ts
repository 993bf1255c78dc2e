import { nameOf } from '../people.ts'
import type { Network } from './network.ts'

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

/** What the network writes about one account and day. It may leave out what really happened. */
export const statementOf = (network: Network, account: string, date: string) => {
  let balance = 0
  let opening = 0
  const lines: Line[] = []
  for (const movement of network.moved) {
    if (movement.account !== account || !movement.onStatement) continue
    const day = dayOf(movement.at)
    if (day > date) continue
    const inwards = movement.direction === 'in'
    balance += (inwards ? movement.amount : -movement.amount) - movement.fee
    if (day < date) {
      opening = balance
      continue
    }
    lines.push({
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
    })
  }
  return { account, date, opening: twoPlaces(opening), closing: twoPlaces(balance), lines }
}

const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

export const csvOf = (lines: readonly Line[]): string =>
  [columns.join(','), ...lines.map(line => columns.map(column => cell(line[column])).join(','))]
    .join('\r\n')
    .concat('\r\n')
