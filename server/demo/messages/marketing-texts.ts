import { contract } from '../../../core/contract/contract.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { smsTemplateModule } from '../../systems/marketing/sms-template/sms-template.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { smsTemplates } = contract

type Sample = {
  merchantNo: 'M1' | 'M2' | 'M3'
  name: string
  en: string
  sw: string
  zh?: string
  /** In force, taken out of it again, or a draft of somebody else or of the administrator. */
  now: 'enabled' | 'disabled' | 'draft' | 'own'
}

const samples: readonly Sample[] = [
  {
    ...{ merchantNo: 'M1', name: 'Borrow again, 3 days', now: 'enabled' },
    en: 'Dear {customerName}, thank you for repaying {settledAmount} on time. You can borrow again in the {brand} app today.',
    sw: 'Mpendwa {customerName}, asante kwa kulipa {settledAmount} kwa wakati. Unaweza kukopa tena leo kwenye programu ya {brand}.',
    zh: '尊敬的{customerName}，感谢您按时还清{settledAmount}。今天即可在{brand}再次申请。',
  },
  {
    ...{ merchantNo: 'M1', name: 'Borrow again, 7 days', now: 'enabled' },
    en: '{customerName}, your {brand} account is in good standing. Questions? Call {hotline}.',
    sw: '{customerName}, akaunti yako ya {brand} iko vizuri. Una swali? Piga {hotline}.',
  },
  {
    ...{ merchantNo: 'M1', name: 'Borrow again, 14 days', now: 'enabled' },
    en: 'Need stock for your stage? {brand} answers within minutes. Borrow only what you can repay.',
    sw: 'Unahitaji mtaji wa kazi? {brand} hujibu ndani ya dakika. Kopa unachoweza kulipa tu.',
  },
  {
    ...{ merchantNo: 'M1', name: 'Registered, not applied', now: 'enabled' },
    en: 'Hello {customerName}, your {brand} account is ready. Apply when you need it; all costs are shown before you accept.',
    sw: 'Habari {customerName}, akaunti yako ya {brand} iko tayari. Omba unapohitaji; gharama zote huonyeshwa kabla ya kukubali.',
  },
  {
    ...{ merchantNo: 'M1', name: 'School term', now: 'disabled' },
    en: 'School opens soon. Plan fees early with {brand}. See all costs in the app before you accept.',
    sw: 'Shule zinafunguliwa karibuni. Panga ada mapema na {brand}. Tazama gharama zote kwenye programu kabla ya kukubali.',
  },
  {
    ...{ merchantNo: 'M1', name: 'Rainy season', now: 'draft' },
    en: 'Rain slows work? {brand} customers who repaid on time may choose 14 days. Call {hotline} to ask.',
    sw: 'Mvua inapunguza kazi? Wateja wa {brand} waliolipa kwa wakati wanaweza kuchagua siku 14. Piga {hotline} kuuliza.',
  },
  {
    ...{ merchantNo: 'M2', name: 'Borrow again, 3 days', now: 'enabled' },
    en: 'Dear {customerName}, {brand} thanks you for repaying. Your market stall can have stock again tomorrow.',
    sw: 'Mpendwa {customerName}, {brand} inakushukuru kwa kulipa. Kibanda chako kinaweza kupata bidhaa tena kesho.',
  },
  {
    ...{ merchantNo: 'M2', name: 'Borrow again, 30 days', now: 'enabled' },
    en: '{customerName}, we have not heard from you for a month. Your last loan of {settledAmount} is closed. {brand}',
    sw: '{customerName}, hatujasikia kutoka kwako kwa mwezi mmoja. Mkopo wako wa mwisho wa {settledAmount} umefungwa. {brand}',
  },
  {
    // Dear because of one character: the dash is not of the alphabet of texts.
    ...{ merchantNo: 'M2', name: 'Market day', now: 'draft' },
    en: 'Market day is Saturday – stock up on Friday with {brand}.',
    sw: 'Siku ya soko ni Jumamosi – nunua bidhaa Ijumaa na {brand}.',
  },
  {
    ...{ merchantNo: 'M2', name: 'Approved, not taken', now: 'enabled' },
    en: '{customerName}, your offer from {brand} is still open. Read the costs in the app and decide when you are ready.',
    sw: '{customerName}, ofa yako ya {brand} bado ipo. Soma gharama kwenye programu na uamue ukiwa tayari.',
  },
  {
    ...{ merchantNo: 'M2', name: 'Easter', now: 'disabled' },
    en: 'Happy Easter from {brand}. Our hotline {hotline} is open on Monday.',
    sw: 'Heri ya Pasaka kutoka {brand}. Namba yetu {hotline} iko wazi Jumatatu.',
  },
  {
    ...{ merchantNo: 'M3', name: 'Planting season', now: 'enabled' },
    en: 'Planting season is near. {brand} lends for seed and fertiliser, repaid in four parts. Call {hotline}.',
    sw: 'Msimu wa kupanda umekaribia. {brand} hukopesha mbegu na mbolea, hulipwa kwa awamu nne. Piga {hotline}.',
  },
  {
    ...{ merchantNo: 'M3', name: 'After harvest', now: 'own' },
    en: 'Thank you, {customerName}. After this harvest you can borrow again from {brand}.',
    sw: 'Asante, {customerName}. Baada ya mavuno haya unaweza kukopa tena kutoka {brand}.',
  },
  {
    ...{ merchantNo: 'M3', name: 'Refused 60 days ago', now: 'draft' },
    en: 'Hello {customerName}, you may apply again with {brand}. We look at each application afresh.',
    sw: 'Habari {customerName}, unaweza kuomba tena kwa {brand}. Tunaangalia kila ombi upya.',
  },
]

/** Texts of marketing of three merchants: in force, taken out again, and waiting for a second person. */
export const writeMarketingTexts = async (tx: Tx): Promise<void> => {
  const hand = handFor([smsTemplateModule()])
  const [boss, writer] = await Promise.all(
    ['admin', 'collect.lead'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')),
  )
  if (!boss || !writer) return
  for (const [n, { name, en, sw, zh, now, merchantNo }] of samples.entries()) {
    const then = at(tx, new Date(tx.now.getTime() - (26 - n) * 24 * 60 * 60_000))
    const input = { templateName: name, merchantNo, contentEn: en, contentSw: sw, ...(zh ? { contentZh: zh } : {}) }
    const made = await hand.call(then, now === 'own' ? boss : writer, smsTemplates.save, input)
    await tx.flush()
    if (now !== 'enabled' && now !== 'disabled') continue
    const later = at(tx, new Date(then.now.getTime() + 90 * 60_000))
    const { version } = await hand.call(later, boss, smsTemplates.enable, made)
    await tx.flush()
    if (now === 'enabled') continue
    const end = at(tx, new Date(then.now.getTime() + 9 * 24 * 60 * 60_000))
    await hand.call(end, boss, smsTemplates.disable, { templateNo: made.templateNo, version })
    await tx.flush()
  }
}
