import { sql } from 'kysely'
import type { MachineName } from '../../core/rules/machines/machines.ts'
import type { Tx } from '../../server/db/database.ts'
import { fixtureTerms } from '../../server/testing/kit.ts'

type Platform = 'idempotencyRecord' | 'outboxMessage' | 'jobRun'
/** Machines whose rows `transition()` moves; the others belong to the platform, which moves them with leases of its own. */
export type Guarded = Exclude<MachineName, Platform>

const at = '2026-03-02T07:00:00Z'

/** What a row of each machine needs besides its status: the least that its table takes. */
export const values: Record<Guarded, Record<string, unknown>> = {
  order: {
    orderNo: 'LO1',
    thirdOrderNo: 'T1',
    merchantNo: 'M1',
    customerNo: 'CU1',
    productNo: 'P1',
    terms: JSON.stringify(fixtureTerms),
    requestedAmount: 200000,
    loanAmount: 200000,
    actualLoanAmount: 190000,
    term: 14,
    installmentCount: 2,
    loanKind: 'first',
    applyTime: at,
    statusTime: at,
    payoutType: 'wallet',
    payoutSubtype: 'mtn',
    cardholderName: 'Grace Nakato',
  },
  auditTask: { auditTaskNo: 'AT1', orderNo: 'LO1', auditorNo: 'U1', auditStep: 1, allotTime: at },
  loanCode: {
    loanCode: 'LC1',
    orderNo: 'LO1',
    loanCodeSeq: 1,
    actualLoanAmount: 190000,
    payoutType: 'wallet',
    payoutSubtype: 'mtn',
    cardholderName: 'Grace Nakato',
    requestTime: at,
  },
  gatewayAttempt: {
    externalId: 'LC1-1',
    gatewayRef: 'ref-1',
    parentKind: 'loanCode',
    parentNo: 'LC1',
    attemptNo: 1,
    channel: 'mtn_momo',
    amount: 190000,
    payee: '256772000031',
    fundAccountNo: 'FA1',
    createdTime: at,
  },
  confirmRecord: { confirmNo: 'CF1', parentKind: 'loanCode', parentNo: 'LC1' },
  plan: {
    billNo: 'B1',
    orderNo: 'LO1',
    installmentNo: 1,
    dueDate: '2026-03-09',
    principalDue: 100000,
    interestDue: 0,
    serviceFeeDue: 0,
    managementFeeDue: 0,
  },
  flow: {
    flowNo: 'FL1',
    channel: 'mtn_momo',
    serialNo: 'SN1',
    amount: 50000,
    entryTime: at,
    source: 'typed',
    createdBy: 'U1',
    createdTime: at,
  },
  repaymentRecord: {
    repaymentNo: 'RP1',
    orderNo: 'LO1',
    repayType: 'partial',
    recordSeq: 1,
    amount: 50000,
    valueDate: '2026-03-02',
    repaymentTime: at,
    postedBy: 'U1',
    postedName: 'U1',
    trial: '{}',
    requestId: 'request-1',
  },
  overpayment: { overpaymentNo: 'OV1', customerNo: 'CU1', merchantNo: 'M1', credited: 5000 },
  approval: {
    approvalNo: 'AP1',
    approvalAction: 'flow.void',
    objectType: 'flow',
    objectNo: 'FL1',
    perm: 'repay:flow:void',
    payload: '{}',
    payloadHash: 'hash',
    targetVersion: 0,
    summary: '[]',
    makerNo: 'U1',
    makerName: 'U1',
    submitTime: at,
    expireTime: '2026-03-05T07:00:00Z',
  },
  exportJob: {
    exportNo: 'EX1',
    userNo: 'U1',
    exportList: 'orders',
    exportFormat: 'csv',
    columns: ['orderNo'],
    sort: '-applyTime',
    language: 'en',
    fileId: 'file-1',
    requestTime: at,
  },
  upload: {
    uploadNo: 'UP1',
    userNo: 'U1',
    purpose: 'attachment',
    fileName: 'receipt.pdf',
    extension: 'pdf',
    size: 2048,
    sha256: '0'.repeat(64),
    chunkBytes: 10_485_760,
    fileId: 'file-2',
    createdTime: at,
    expireTime: '2026-03-03T07:00:00Z',
  },
  importJob: {
    importNo: 'IM1',
    userNo: 'U1',
    importList: 'releasedOrders',
    importFormat: 'csv',
    uploadNo: 'UP1',
    fileName: 'released.csv',
    sha256: 'hash',
    language: 'en',
    fileId: 'file-1',
    requestTime: at,
  },
  announcement: {
    announcementNo: 'AN1',
    titleEn: 'Office closed',
    contentEn: '<p>On Monday</p>',
    startTime: at,
    createdBy: 'U1',
    createdName: 'Grace',
    createdTime: at,
    updatedTime: at,
  },
  leave: {
    leaveNo: 'LV1',
    userNo: 'U1',
    leaveType: 'annual',
    startTime: at,
    endTime: '2026-03-03T07:00:00Z',
    createdBy: 'U1',
    createdTime: at,
  },
  embedToken: {
    embedTokenNo: 'ET1',
    tokenHash: 'hash-1',
    chainNo: 'ET1',
    partnerNo: 'PG1',
    userNo: 'U1',
    origin: 'https://partner.example',
    widgets: ['mkopo-audit-my-audit'],
    perms: ['audit:self:page'],
    merchantNos: ['M1'],
    issuedTime: at,
    expiresTime: '2026-03-02T07:15:00Z',
    refreshUntil: '2026-03-02T15:00:00Z',
  },
  mfa: { userNo: 'U1' },
  statementLine: {
    lineNo: 'SL1',
    statementNo: 'ST1',
    fundAccountNo: 'FA1',
    statementDate: '2026-03-01',
    serialNo: 'MP1',
    direction: 'in',
    lineKind: 'payment',
    amount: 50000,
    entryTime: '2026-03-01T07:00:00Z',
  },
  reconItem: { reconItemNo: 'RI1', reconKind: 'paid_not_expected', createdTime: at },
}

/** People and things that the rows above name. */
export const around = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`
    insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
    values ('ST1', 'FA1', '2026-03-01', 0, 50000, 50000, 1, 'channel', 'hash', 'system', ${at})`)
  await tx.exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    values ('CU1', 'Grace Nakato', 'CF0000000000A1', '256772000031', 500000, 300000, ${at})`)
  await tx.exec(sql`
    insert into app_user (user_no, login_id, user_name, real_name, dept_no, principal_merchant_no, password_hash, created_time)
    values ('U1', 'grace', 'grace', 'Grace', 'D1', 'M1', 'none', ${at})`)
  await tx.exec(sql`
    insert into partner_grant (partner_no, partner_name, client_id, secret_hash, origins, widgets, perms, merchant_nos, created_time)
    values ('PG1', 'Kampala CRM', 'kampala-crm', 'none', '{https://partner.example}', '{}', '{}', '{M1}', ${at})`)
}
