import { type Selectable, sql } from 'kysely'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { formatMoney, type Money } from '../../../../core/rules/amount.ts'
import { withOptOut } from '../../../../core/rules/message/marketing-text.ts'
import { fill } from '../../../../core/rules/message/template-text.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { contentIn, filledIn, marketingText } from '../sms-template/measure.ts'

/** Whom a task is for, by which of their loans, where they have one, and with which text. */
export type Recipient = {
  phone: string
  customerNo: string
  merchantNo: string
  orderNo: string | null
  templateNo: string
}

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
  phone: string
  customerName: string
  brand: string
  appName: string
  hotline: string | null
  settledAmount: Money | null
  said: string | null
}

const about = async (tx: Tx, list: readonly Recipient[]): Promise<Map<string, Of>> => {
  const [phones, customers] = [list.map(one => one.phone), list.map(one => one.customerNo)]
  const [merchants, orders] = [list.map(one => one.merchantNo), list.map(one => one.orderNo)]
  const rows = await tx.rows(sql<Of>`
    select r.phone, c.customer_name, coalesce(m.brand_name, m.merchant_name) as brand, m.app_name, o.device ->> 'language' as said,
      case when o.order_status = 'settled' then o.loan_amount end as settled_amount,
      (select h.contact_value from hotline h where h.enabled = 'enabled' and h.deleted_time is null and h.hotline_type = 'phone' and m.app_name = any(h.app_codes)
        order by h.sort, h.hotline_no limit 1) as hotline
    from unnest(${phones}::text[], ${customers}::text[], ${merchants}::text[], ${orders}::text[]) r (phone, customer_no, merchant_no, order_no)
      join customer c on c.customer_no = r.customer_no join merchant m on m.merchant_no = r.merchant_no left join loan_order o on o.order_no = r.order_no`)
  return new Map(rows.map(row => [row.phone, row]))
}

/** Makes the texts of recipients, each in the language of its reader, English where that is none of ours; or all in one. */
export const composer = async (
  tx: Tx,
  recipients: readonly Recipient[],
  fixed?: Language,
): Promise<(one: Recipient) => Text> => {
  const known = await about(tx, recipients)
  const templates = new Map(
    (
      await tx.rows(sql<Template>`
        select * from sms_template where template_no = any(${[...new Set(recipients.map(one => one.templateNo))]})`)
    ).map(row => [row.templateNo, row]),
  )
  const { optOutLine } = await marketingText(tx)
  return ({ phone, customerNo, templateNo }) => {
    const [of, template] = [known.get(phone), templates.get(templateNo)]
    if (!of || !template) throw new Error(`there is no text ${templateNo} for ${customerNo}`)
    const spoken = languages.find(one => of.said?.toLowerCase().split(/[-_]/)[0] === one) ?? 'en'
    const wanted = fixed ?? spoken
    const { language, content: words } = contentIn(template, wanted)
    const content = withOptOut(words, optOutLine[language])
    const { customerName, brand, hotline, settledAmount, appName } = of
    const values = filledIn(words, language, {
      ...{ customerName, brand },
      ...(hotline ? { hotline } : {}),
      ...(settledAmount ? { settledAmount: `UGX ${formatMoney(settledAmount)}` } : {}),
    })
    const body = values ? (fill(content, values).text ?? null) : null
    return { language, content, values: values ?? {}, body, templateVersion: template.templateVersion, appName }
  }
}
