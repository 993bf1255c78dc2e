import { type Selectable, sql } from 'kysely'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { formatMoney, type Money } from '../../../../core/rules/amount.ts'
import { withOptOut } from '../../../../core/rules/message/marketing-text.ts'
import { fill } from '../../../../core/rules/message/template-text.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { contentIn, filledIn, marketingText } from '../sms-template/measure.ts'

/** Whom a task is for, by which loan and with which text. */
export type Recipient = { phone: string; customerNo: string; merchantNo: string; orderNo: string; templateNo: string }

/** A text to one customer. `body` is null where it lacks a value that nothing stands for. */
export type Text = {
  language: Language
  /** With its places, and the line that ends it. */
  content: string
  values: Readonly<Record<string, string>>
  body: string | null
  templateVersion: number
  appName: string
}

type Template = Selectable<DB['smsTemplate']>
type Of = {
  orderNo: string
  customerName: string
  brand: string
  appName: string
  hotline: string | null
  loanAmount: Money
  said: string | null
}

const ofOrders = async (tx: Tx, orderNos: readonly string[]): Promise<Map<string, Of>> => {
  const rows = await tx.rows(sql<Of>`
    select o.order_no, c.customer_name, coalesce(m.brand_name, m.merchant_name) as brand, m.app_name, o.loan_amount, o.device ->> 'language' as said,
      (select h.contact_value from hotline h where h.enabled = 'enabled' and h.deleted_time is null and h.hotline_type = 'phone' and m.app_name = any(h.app_codes)
        order by h.sort, h.hotline_no limit 1) as hotline
    from loan_order o join customer c using (customer_no) join merchant m on m.merchant_no = o.merchant_no where o.order_no = any(${[...orderNos]})`)
  return new Map(rows.map(row => [row.orderNo, row]))
}

/** Makes the texts of recipients, each in the language of its reader; English where that is none of ours. */
export const composer = async (tx: Tx, recipients: readonly Recipient[]): Promise<(one: Recipient) => Text> => {
  const orders = await ofOrders(
    tx,
    recipients.map(one => one.orderNo),
  )
  const templates = new Map(
    (
      await tx.rows(sql<Template>`
        select * from sms_template where template_no = any(${[...new Set(recipients.map(one => one.templateNo))]})`)
    ).map(row => [row.templateNo, row]),
  )
  const { optOutLine } = await marketingText(tx)
  return ({ orderNo, templateNo }) => {
    const [of, template] = [orders.get(orderNo), templates.get(templateNo)]
    if (!of || !template) throw new Error(`there is no text ${templateNo} for ${orderNo}`)
    const wanted = languages.find(one => of.said?.toLowerCase().split(/[-_]/)[0] === one) ?? 'en'
    const { language, content: words } = contentIn(template, wanted)
    const content = withOptOut(words, optOutLine[language])
    const { customerName, brand, hotline, loanAmount, appName } = of
    const settledAmount = `UGX ${formatMoney(loanAmount)}`
    const values = filledIn(words, language, { customerName, brand, settledAmount, ...(hotline ? { hotline } : {}) })
    const body = values ? (fill(content, values).text ?? null) : null
    return { language, content, values: values ?? {}, body, templateVersion: template.templateVersion, appName }
  }
}
