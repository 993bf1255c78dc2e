import { wholeXml } from '../../files/imports/read/xml-read.ts'

/** One payment as the bank read it. The amount is in whole shillings. */
export type Order = { externalId: string; amount: number; account: string; holder: string }
/** A file as the bank read it. */
export type Initiation = { msgId: string; debtor: string; count: number; sum: number; payments: Order[] }

async function* inOne(text: string) {
  yield Buffer.from(text)
}

/** Reads a payment initiation; null when it says not what it should: a sum, a count or a reference is wrong. */
export const readInitiation = async (text: string): Promise<Initiation | null> => {
  const path: string[] = []
  const head = new Map<string, string>()
  const payments: Map<string, string>[] = []
  let content = ''
  await wholeXml(inOne(text), {
    open(name) {
      path.push(name)
      content = ''
      if (name === 'CdtTrfTxInf') payments.push(new Map())
    },
    text(more) {
      content += more
    },
    close() {
      const inPayment = path.indexOf('CdtTrfTxInf')
      const into = inPayment < 0 ? head : payments.at(-1)
      if (content.trim()) into?.set(path.slice(inPayment < 0 ? 2 : inPayment + 1).join('/'), content)
      content = ''
      path.pop()
    },
  })
  const read = {
    msgId: head.get('GrpHdr/MsgId') ?? '',
    debtor: head.get('PmtInf/DbtrAcct/Id/Othr/Id') ?? '',
    count: Number(head.get('GrpHdr/NbOfTxs')),
    sum: Number(head.get('GrpHdr/CtrlSum')),
    payments: payments.map(one => ({
      externalId: one.get('PmtId/EndToEndId') ?? '',
      amount: Number(one.get('Amt/InstdAmt')),
      account: one.get('CdtrAcct/Id/Othr/Id') ?? '',
      holder: one.get('Cdtr/Nm') ?? '',
    })),
  }
  const whole =
    read.msgId !== '' &&
    read.debtor !== '' &&
    read.payments.length === read.count &&
    read.payments.reduce((sum, { amount }) => sum + amount, 0) === read.sum &&
    read.payments.every(({ externalId, amount, account }) => externalId && account && Number.isSafeInteger(amount))
  return whole ? read : null
}

/** What stands on a statement: money out of the account or into it, or given back by the other bank. */
export type Entry = {
  serialNo: string
  direction: 'in' | 'out'
  amount: number
  at: string
  externalId: string
  account: string
  returned: boolean
}

/** What the bank says of one payment. */
export type Said = { externalId: string; status: string; reason?: string; serialNo?: string; amount: number }

const tag = (name: string, content: string | number | undefined) =>
  content === undefined || content === '' ? '' : `<${name}>${content}</${name}>`
const why = (reason: string | undefined) => tag('StsRsnInf', reason && tag('Rsn', tag('Cd', reason)))

/** Writes a payment status report. */
export const writeReport = (o: {
  answerNo: string
  created: string
  msgId: string
  group?: { status: string; reason?: string }
  said: readonly Said[]
}): string => {
  const one = ({ externalId, status, reason, serialNo, amount }: Said) =>
    tag(
      'TxInfAndSts',
      tag('OrgnlEndToEndId', externalId) +
        tag('TxSts', status) +
        why(reason) +
        tag('AcctSvcrRef', serialNo) +
        `<OrgnlTxRef><Amt><InstdAmt Ccy="UGX">${amount}</InstdAmt></Amt></OrgnlTxRef>`,
    )
  const content =
    tag('GrpHdr', tag('MsgId', o.answerNo) + tag('CreDtTm', o.created)) +
    tag(
      'OrgnlGrpInfAndSts',
      tag('OrgnlMsgId', o.msgId) +
        tag('OrgnlMsgNmId', 'pain.001.001.03') +
        tag('GrpSts', o.group?.status) +
        why(o.group?.reason),
    ) +
    tag('OrgnlPmtInfAndSts', o.said.length > 0 ? tag('OrgnlPmtInfId', o.msgId) + o.said.map(one).join('') : '')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">${tag('CstmrPmtStsRpt', content)}</Document>\n`
}

const amountOf = (amount: number) => `<Amt Ccy="UGX">${Math.abs(amount)}</Amt>`
const signOf = (amount: number) => tag('CdtDbtInd', amount < 0 ? 'DBIT' : 'CRDT')

/** Writes the statement of an account and a day. */
export const writeStatement = (o: {
  account: string
  date: string
  created: string
  opening: number
  entries: readonly Entry[]
}): string => {
  const balance = (kind: string, amount: number) =>
    tag(
      'Bal',
      tag('Tp', tag('CdOrPrtry', tag('Cd', kind))) + amountOf(amount) + signOf(amount) + tag('Dt', tag('Dt', o.date)),
    )
  const party = (name: string, account: string) => tag(name, tag('Id', tag('Othr', tag('Id', account))))
  const signed = ({ direction, amount }: Entry) => (direction === 'in' ? amount : -amount)
  const entry = (one: Entry) => {
    const details =
      tag('Refs', tag('EndToEndId', one.externalId)) +
      tag('RltdPties', party(one.direction === 'in' ? 'DbtrAcct' : 'CdtrAcct', one.account)) +
      (one.returned ? tag('RtrInf', tag('Rsn', tag('Cd', 'AC04'))) : '')
    return tag(
      'Ntry',
      amountOf(one.amount) +
        signOf(signed(one)) +
        tag('Sts', 'BOOK') +
        tag('BookgDt', tag('DtTm', one.at)) +
        tag('AcctSvcrRef', one.serialNo) +
        tag('NtryDtls', tag('TxDtls', details)),
    )
  }
  const closing = o.entries.reduce((sum, one) => sum + signed(one), o.opening)
  const content =
    tag('Id', `${o.account}-${o.date}`) +
    tag('CreDtTm', o.created) +
    party('Acct', o.account) +
    balance('OPBD', o.opening) +
    balance('CLBD', closing) +
    o.entries.map(entry).join('')
  const head = tag('GrpHdr', tag('MsgId', `STM${o.account}${o.date.replaceAll('-', '')}`) + tag('CreDtTm', o.created))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${tag('BkToCstmrStmt', head + tag('Stmt', content))}</Document>\n`
}
