import { wholeXml } from '../../../imports/xml-read.ts'

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
