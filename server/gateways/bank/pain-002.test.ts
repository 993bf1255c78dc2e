import { describe, expect, it } from 'vitest'
import { Unreadable } from '../../files/imports/read/unreadable.ts'
import { answerBounds, readPain002 } from './pain-002.ts'

const xmlns = 'xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"'
const head = '<GrpHdr><MsgId>ANS1</MsgId><CreDtTm>2026-03-02T08:00:00Z</CreDtTm></GrpHdr>'
const group = (more = '<GrpSts>ACTC</GrpSts>') =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>BB1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>${more}</OrgnlGrpInfAndSts>`
const info = (content: string) => `<OrgnlPmtInfAndSts><OrgnlPmtInfId>BB1</OrgnlPmtInfId>${content}</OrgnlPmtInfAndSts>`
const payment = (externalId: string, more = '<TxSts>ACSC</TxSts><AcctSvcrRef>FT1</AcctSvcrRef>') =>
  `<TxInfAndSts><OrgnlEndToEndId>${externalId}</OrgnlEndToEndId>${more}</TxInfAndSts>`
const document = (content: string, before = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${before}<Document ${xmlns}><CstmrPmtStsRpt>${content}</CstmrPmtStsRpt></Document>`

const read = (text: string) => readPain002(Buffer.from(text))
const refused = (text: string) => expect(read(text)).rejects.toThrow(Unreadable)
const noReasons = { codes: [], text: '' }

describe('an answer of a bank', () => {
  it('speaks of the file alone', async () => {
    expect(await read(document(head + group()))).toEqual({
      answerNo: 'ANS1',
      batchNo: 'BB1',
      status: 'ACTC',
      reasons: noReasons,
      payments: [],
    })
  })

  it('speaks of payments, with the number of the bank, the amount and the reasons', async () => {
    const original =
      '<OrgnlTxRef><Amt><InstdAmt Ccy="UGX">190000</InstdAmt></Amt><CdtrAcct><Id><Othr><Id>903</Id></Othr></Id></CdtrAcct></OrgnlTxRef>'
    const why =
      '<StsRsnInf><Orgtr><Nm>Bank</Nm></Orgtr><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account</AddtlInf><AddtlInf>closed</AddtlInf></StsRsnInf>'
    const counted = group('<OrgnlNbOfTxs>2</OrgnlNbOfTxs><OrgnlCtrlSum>380000.00</OrgnlCtrlSum>')
    const text = document(
      head +
        counted +
        info(
          payment('LC1-1', `<TxSts>ACSC</TxSts><AcctSvcrRef>FT1</AcctSvcrRef>${original}`) +
            payment('LC2-1', `<TxSts>RJCT</TxSts>${why}`),
        ),
    )
    expect(await read(text)).toEqual({
      answerNo: 'ANS1',
      batchNo: 'BB1',
      status: null,
      reasons: noReasons,
      count: 2,
      sum: '380000.00',
      payments: [
        {
          externalId: 'LC1-1',
          status: 'ACSC',
          reasons: noReasons,
          serialNo: 'FT1',
          amount: '190000.00',
          currency: 'UGX',
        },
        { externalId: 'LC2-1', status: 'RJCT', reasons: { codes: ['AC04'], text: 'Account closed' } },
      ],
    })
  })

  it('may name its elements with a prefix, hold comments and words as they are', async () => {
    const text = `<?xml version="1.0"?><!-- by the bank --><p:Document xmlns:p="urn:x" ${xmlns}><p:CstmrPmtStsRpt>${head}<!-- --><OrgnlGrpInfAndSts><OrgnlMsgId><![CDATA[BB1]]></OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Prtry>X9</Prtry></Rsn><AddtlInf>a &lt; b &amp; c</AddtlInf></StsRsnInf></OrgnlGrpInfAndSts></p:CstmrPmtStsRpt></p:Document>\n`
    expect(await read(text)).toMatchObject({
      batchNo: 'BB1',
      status: 'RJCT',
      reasons: { codes: ['X9'], text: 'a < b & c' },
    })
  })

  it('refuses the file where it refuses its only payment information, for the reason given there', async () => {
    const part = info('<PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Cd>DU02</Cd></Rsn></StsRsnInf>')
    expect(await read(document(head + group('<GrpSts>PART</GrpSts>') + part))).toMatchObject({
      status: 'RJCT',
      reasons: { codes: ['DU02'] },
    })
  })

  it('gathers payments of several payment informations', async () => {
    const { payments } = await read(document(head + group() + info(payment('A-1')) + info(payment('B-1'))))
    expect(payments.map(({ externalId }) => externalId)).toEqual(['A-1', 'B-1'])
  })
})

describe('what is no answer', () => {
  it.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['another root', '<Report/>'],
    ['another message', document(head + group()).replaceAll('CstmrPmtStsRpt', 'CstmrCdtTrfInitn')],
    ['another namespace', document(head + group()).replace('pain.002.001.03', 'camt.053.001.02')],
    ['no namespace', document(head + group()).replace(xmlns, '')],
    ['no header', document(group())],
    ['no group', document(head)],
    ['two groups', document(head + group() + group())],
    ['two roots', document(head + group()) + document(head + group(), '')],
    ['words behind the root', `${document(head + group())}x`],
    ['an element left open', document(head + group()).replace('</Document>', '')],
    ['elements that cross', document(head + group()).replace('</CreDtTm></GrpHdr>', '</GrpHdr></CreDtTm>')],
    ['a torn file', document(head + group()).slice(0, -40)],
    ['a payment without reference', document(head + group() + info('<TxInfAndSts><TxSts>ACSC</TxSts></TxInfAndSts>'))],
    ['a payment without status', document(head + group() + info(payment('A-1', '')))],
    [
      'two statuses of one payment',
      document(head + group() + info(payment('A-1', '<TxSts>RJCT</TxSts><TxSts>ACSC</TxSts>'))),
    ],
    [
      'an amount that is none',
      document(
        head +
          group() +
          info(
            payment('A-1', '<TxSts>ACSC</TxSts><OrgnlTxRef><Amt><InstdAmt Ccy="UGX">1e9</InstdAmt></Amt></OrgnlTxRef>'),
          ),
      ),
    ],
    ['a count that is none', document(head + group('<OrgnlNbOfTxs>many</OrgnlNbOfTxs>'))],
    ['a number that is too long', document(head.replace('ANS1', 'A'.repeat(answerBounds.id + 1)) + group())],
  ])('%s', (_, text) => refused(text))
})

describe('hostile answers', () => {
  it.each([
    ['a document type', '<!DOCTYPE Document>'],
    ['an entity that names a file', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'],
    ['entities that multiply', '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'],
    ['a parameter entity', '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1/x">%p;]>'],
  ])('%s', async (_, before) => {
    await refused(document(head + group(), before))
    await refused(document(head.replace('ANS1', `${before}ANS1`) + group()))
  })

  it('an entity without a declaration', () => refused(document(head.replace('ANS1', 'A&e;') + group())))

  it('nesting without an end', () => refused(document(head + group() + '<a>'.repeat(answerBounds.depth))))

  it('a text without an end', () => refused(document(head + group(`<GrpSts>${'A'.repeat(3_000)}</GrpSts>`))))

  it('a tag without an end', () => refused(document(`<GrpHdr x="${'A'.repeat(20_000)}">`)))

  it('more payments than any file of ours has', () =>
    refused(document(head + group() + info(payment('A-1').repeat(answerBounds.payments + 1)))))

  it('more bytes than any answer has, before they are looked at', async () => {
    const bytes = Buffer.alloc(answerBounds.bytes + 1, document(head + group()))
    await expect(readPain002(bytes)).rejects.toThrow(Unreadable)
  })

  it('bytes that are no UTF-8', async () => {
    const text = Buffer.from(document(head.replace('ANS1', 'AN?S') + group()))
    text[text.indexOf('?S')] = 0xff
    await expect(readPain002(text)).rejects.toThrow(Unreadable)
    await expect(readPain002(Buffer.from(document(head + group()), 'utf16le'))).rejects.toThrow(Unreadable)
  })
})
