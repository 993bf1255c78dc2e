import { z } from 'zod'
import { repaymentLink } from '../../rules/machines/after-loan/repayment-link.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, endpoint, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Where a payment stands that a phone was asked for: of none so far, of one that its owner has yet to agree to, of one that did not come about. */
export const payAskStates = dictionary('PAY_ASK_STATE', ['none', 'waiting', 'failed'])
/** Links of one order that are active at the same time. */
export const mostActiveLinks = 3
/** The page of a link; its last part is random and says nothing about anybody. */
export const payPagePath = '/pay'

const perm = 'postloan:repay:link'
const base = '/rePayManage/payLink'
const one = { linkNo: field.key(), version: z.int() }

const Row = z.object({
  linkNo: field.key(),
  linkStatus: field.state(repaymentLink),
  orderNo: field.key(),
  customerName: field.customerName(),
  merchantName: field.text(),
  amount: field.money(),
  /** Its page. */
  payLink: field.text(500),
  expireTime: field.time(),
  timesSent: z.int(),
  paidTime: field.time().nullable(),
  flowNo: field.key().nullable(),
  createdName: field.user(),
  createdTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type PayLinkRow = z.output<typeof Row>

const linkCode = z.string().regex(/^[0-9a-f]{32}$/, 'validation.wrongValue')

/** What the page of a link shows: who is paid how much until when, and nothing of who pays. */
const Shown = z.object({
  linkStatus: field.state(repaymentLink),
  brand: field.text(),
  hotline: field.text().nullable(),
  amount: field.money(),
  expireTime: field.time(),
  payAskState: field.dict(payAskStates),
})
export type PayLinkShown = z.output<typeof Shown>

/** Links by which a customer pays an amount to an order: made by staff, opened by anybody who has the link. */
export const payLink = noun('after-loan/pay-link', {
  page: list(`${base}/page`, {
    perm,
    row: Row,
    filters: {
      linkNo: field.key().optional(),
      orderNo: field.key().optional(),
      linkStatus: z.array(field.state(repaymentLink)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'amount'],
    defaultSort: '-createdTime',
  }),
  create: command({
    path: `${base}/create`,
    perm,
    audit: 'payLink.create',
    on: { machine: repaymentLink, event: 'link.create', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), amount: field.money() }),
    output: z.object({ linkNo: field.key(), payLink: field.text(500), expireTime: field.time() }),
  }),
  /** Sends the link to the customer's own number, as the nodes of the event and the contact guard say. */
  send: command({
    path: `${base}/send`,
    perm,
    audit: 'payLink.send',
    input: z.strictObject(one),
    output: done,
  }),
  revoke: command({
    path: `${base}/revoke`,
    perm,
    audit: 'payLink.revoke',
    on: { machine: repaymentLink, event: 'link.revoke', key: 'linkNo' },
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: done,
  }),
  opened: endpoint({
    method: 'GET',
    path: '/noAuth/payLink/{linkCode}',
    auth: 'anon',
    input: z.strictObject({ linkCode }),
    output: Shown,
  }),
  /** Asks a phone for the amount; its owner agrees on it. One at a time. */
  pay: endpoint({
    method: 'POST',
    path: '/noAuth/payLink/{linkCode}/pay',
    auth: 'anon',
    input: z.strictObject({ linkCode, phone: field.phone() }),
    output: Shown,
  }),
})

/** What staff do with links; the other two calls are those of who opens one. */
export const payLinkCalls = {
  page: payLink.page,
  create: payLink.create,
  send: payLink.send,
  revoke: payLink.revoke,
} as const
