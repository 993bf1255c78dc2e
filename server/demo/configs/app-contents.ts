import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../core/contract/endpoint.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { appContentModule } from '../../systems/operation/app-content/app-content.ts'
import { appContractModule } from '../../systems/operation/app-content/app-contract.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { appContent, appContract, common } = contract
type Save = InputOf<typeof appContent.save>
const day = 86_400_000

type Words = readonly [title: string, body: string]
type Piece = { placement: string; zh?: Words; en?: Words; sw?: Words; from?: number; days?: number; more?: object }

const pieces: readonly Piece[] = [
  {
    placement: 'home_banner',
    zh: ['按时还款，额度更高', '连续三次按时还款，下次可借更多。'],
    en: ['Repay on time, borrow more', 'Three loans repaid on time raise what you can borrow next.'],
    sw: ['Lipa kwa wakati, kopa zaidi', 'Ukilipa mikopo mitatu kwa wakati, kikomo chako hupanda.'],
  },
  {
    placement: 'home_banner',
    en: ['Pay with mobile money', 'Dial *165# and use the code of your loan.'],
    zh: ['用移动钱包还款', '拨打 *165#，输入您的还款码。'],
  },
  {
    placement: 'popup',
    zh: ['节日服务时间', '12月25日和26日客服照常接听。'],
    en: ['We answer on the holidays', 'Our line is open on 25 and 26 December.'],
    sw: ['Tupo sikukuu', 'Simu yetu iko wazi tarehe 25 na 26 Desemba.'],
    from: 20,
    days: 20,
  },
  {
    placement: 'splash',
    zh: ['安全借款', '我们从不向您索要密码。'],
    en: ['Borrow safely', 'We never ask for your PIN.'],
    sw: ['Kopa kwa usalama', 'Hatukuombi namba yako ya siri kamwe.'],
  },
  {
    placement: 'repay_tip',
    zh: ['明天到期？今天就还', '提前还款不收任何费用。'],
    en: ['Due tomorrow? Pay today', 'Paying early costs nothing.'],
    sw: ['Unalipa kesho? Lipa leo', 'Kulipa mapema hakuna gharama.'],
    more: { linkType: 'screen', appScreen: 'repay' },
  },
  {
    placement: 'refused_page',
    zh: ['这次未能通过', '您可以在七天后再次申请。'],
    en: ['Not this time', 'You may apply again after seven days.'],
    sw: ['Haikuwezekana sasa', 'Unaweza kuomba tena baada ya siku saba.'],
    more: { customerStatuses: ['3'] },
  },
  {
    placement: 'faq',
    zh: ['如何还款？', '打开“还款”，按提示使用还款码付款。'],
    en: ['How do I repay?', 'Open Repay and pay with the code that is shown.'],
    sw: ['Nalipaje?', 'Fungua Lipa mkopo, tumia namba inayoonyeshwa.'],
  },
  {
    placement: 'faq',
    zh: ['逾期会怎样？', '每天收取合同约定的滞纳金，最高不超过合同上限。'],
    en: ['What if I am late?', 'A fee is charged for each day, never more than the contract allows.'],
    sw: ['Nikichelewa?', 'Kuna ada kwa kila siku, isiyozidi kiwango cha mkataba.'],
  },
  {
    placement: 'about',
    zh: ['关于我们', '我们是持牌的数字贷款机构。'],
    en: ['About us', 'We are a licensed digital lender.'],
    sw: ['Kuhusu sisi', 'Sisi ni mkopeshaji wa kidijitali mwenye leseni.'],
  },
]

const formOf = (tx: Tx, appCode: string, piece: Piece, sort: number) => {
  const { placement, zh, en, sw, from = -30, days = 200, more = { linkType: 'none' } } = piece
  const start = tx.now.getTime() + from * day
  return {
    ...{ appCode, placement, linkType: 'none', ...more, sort },
    ...(zh ? { titleZh: zh[0], bodyZh: zh[1] } : {}),
    ...(en ? { titleEn: en[0], bodyEn: en[1] } : {}),
    ...(sw ? { titleSw: sw[0], bodySw: sw[1] } : {}),
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + days * day).toISOString(),
  }
}

const agreement = {
  bodyZh:
    '{customerName}（订单 {orderNo}）向{merchantName}借款 {principal}，期限 {term} 天，应还 {totalToRepay}，到期日：{dueDates}。签署日：{signDate}。',
  bodyEn:
    '{customerName} (order {orderNo}) borrows {principal} from {merchantName} for {term} days and repays {totalToRepay}. Due: {dueDates}. Signed {signDate}.',
  bodySw:
    '{customerName} (ombi {orderNo}) anakopa {principal} kutoka {merchantName} kwa siku {term} na atarejesha {totalToRepay}. Tarehe: {dueDates}. Imesainiwa {signDate}.',
}
const costs = {
  bodyZh:
    '本金 {principal}，到账 {amountReceived}，利息 {interest}，服务费 {serviceFee}，管理费 {managementFee}，合计应还 {totalToRepay}，到期日 {dueDates}。',
  bodyEn:
    'Principal {principal}; you receive {amountReceived}; interest {interest}; service fee {serviceFee}; management fee {managementFee}; total to repay {totalToRepay}; due {dueDates}.',
  bodySw:
    'Mkopo {principal}; unapokea {amountReceived}; riba {interest}; ada ya huduma {serviceFee}; ada ya usimamizi {managementFee}; jumla {totalToRepay}; tarehe {dueDates}.',
}

type Values = Record<string, unknown>

/** The texts of two merchants, in force; one of them has a next version that waits for its day. */
const writeContracts = async (tx: Tx): Promise<void> => {
  const module = appContractModule()
  const hand = handFor([module, approvalModule(module.approvals ?? [])])
  const [now, before] = [at(tx, tx.now), at(tx, new Date(tx.now.getTime() - 90 * day))]
  let when = before
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return
  const call = async (who: typeof boss, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(when, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  const agreed = async (contractNo: unknown, reason: string, effectiveTime?: string) => {
    const draft = await tx.one(sql<{ versionNo: string; version: number }>`
      select version_no, version from app_contract_version where contract_no = ${contractNo} and version_status = 'draft'`)
    const asked = { ...draft, reason, ...(effectiveTime ? { effectiveTime } : {}) }
    const { approvalNo } = await call(boss, appContract.versionSubmit, asked)
    await call(second, common.approve, { approvalNo, version: 0 })
  }
  for (const { merchantNo } of merchants.slice(0, 2))
    for (const [contractType, texts] of [
      ['loan_agreement', agreement],
      ['cost_summary', costs],
    ] as const) {
      const { key } = await call(boss, appContract.save, { merchantNo, contractType, ...texts })
      await agreed(key, 'Texts of the licence')
      const { version } = await tx.one(
        sql<{ version: number }>`select version from app_contract where contract_no = ${key}`,
      )
      await call(boss, appContract.state, { contractNo: key, enabled: true, version })
      if (merchantNo !== merchants[0].merchantNo || contractType !== 'loan_agreement') continue
      when = now
      await call(boss, appContract.versionSave, {
        contractNo: key,
        ...agreement,
        bodyEn: `${agreement.bodyEn} Questions: 0800 200 300.`,
      })
      await agreed(key, 'The number of our line is named', startOfEatDay(addDays(tx.today, 7)))
      when = before
    }
}

/** What the apps of the demo show, and what their customers agree to: one content lacks Swahili, one has ended. */
export const writeAppContents = async (tx: Tx): Promise<void> => {
  const hand = handFor([appContentModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - 20 * day))
  for (const { appName } of merchants.slice(0, 2))
    for (const [index, piece] of [...pieces, { ...pieces[0], from: -90, days: 60 } as Piece].entries()) {
      const { key } = await hand.call(then, boss, appContent.save, formOf(tx, appName, piece, index + 1) as Save)
      await tx.flush()
      await hand.call(then, boss, appContent.state, { contentNo: String(key), enabled: true, version: 0 } as never)
      await tx.flush()
    }
  await writeContracts(tx)
  await tx.exec(sql`
    insert into app_content_day (content_no, business_date, shown_count, clicked_count)
    select x.content_no, d::date, 200 + 37 * x.sort, 12 + 3 * x.sort from app_content x, generate_series(${tx.today}::date - 9, ${tx.today}::date, interval '1 day') d
    where x.start_time <= d and x.end_time >= d`)
}
