import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { TextScope } from '../../../core/contract/operation/sensitive-word.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { checkText } from '../../systems/operation/sensitive-word/index.ts'
import { sensitiveWordModule } from '../../systems/operation/sensitive-word/sensitive-word.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { sensitiveWord } = contract
const day = 86_400_000
type Save = InputOf<typeof sensitiveWord.save>
type Group = { in: string; category: string; action: 'block' | 'warn'; words: string }

const said: readonly TextScope[] = ['sms', 'whatsapp', 'follow_note', 'feedback_reply', 'template']
const groups: readonly Group[] = [
  {
    in: 'en',
    category: 'threat',
    action: 'block',
    words:
      'we will arrest you,police are coming,you will regret,we know where you live,your family will suffer,break your legs,burn your house,we will find you,last warning or else,auction your home,jail tonight,send thugs',
  },
  {
    in: 'en',
    category: 'insult',
    action: 'block',
    words: 'thief,thieves,crook,conman,liar,idiot,stupid,useless person,beggar,dog,pig,cheat,fraudster,shameless',
  },
  {
    in: 'en',
    category: 'shame',
    action: 'block',
    words:
      'post your photo,tell your boss,tell your church,call your contacts,shame you publicly,put you in the newspaper,tell your neighbours,on facebook,in the whatsapp group',
  },
  {
    in: 'en',
    category: 'discrimination',
    action: 'block',
    words: 'your tribe,you people are all,refugee scum,dirty foreigner,cripple',
  },
  {
    in: 'en',
    category: 'false_claim',
    action: 'warn',
    words:
      'court order,warrant of arrest,blacklisted forever,interest free,guaranteed approval,zero cost,no repayment,government loan,police case,lawyer fee',
  },
  {
    in: 'en',
    category: 'personal_data',
    action: 'warn',
    words: 'your pin,your password,mobile money pin,national id copy,secret code',
  },
  {
    in: 'sw',
    category: 'threat',
    action: 'block',
    words:
      'tutakukamata,polisi wanakuja,utajuta,tunajua unapoishi,tutakuja kwako usiku,familia yako itaumia,tutachoma nyumba,onyo la mwisho,utalala jela',
  },
  {
    in: 'sw',
    category: 'insult',
    action: 'block',
    words: 'mwizi,wezi,tapeli,mwongo,mjinga,mpumbavu,mbwa,nguruwe,fukara,huna haya',
  },
  {
    in: 'sw',
    category: 'shame',
    action: 'block',
    words: 'tutaweka picha yako,tutamwambia bosi wako,tutaaibisha,tutawaambia majirani,kwenye magazeti,kanisani kwako',
  },
  {
    in: 'sw',
    category: 'false_claim',
    action: 'warn',
    words: 'bila riba,mkopo wa serikali,amri ya mahakama,bila kulipa,umeorodheshwa milele',
  },
  { in: 'lg', category: 'insult', action: 'block', words: 'omubbi,ababbi,omulimba,omusiru,embwa,embizzi' },
  {
    in: 'lg',
    category: 'threat',
    action: 'block',
    words: 'tujja kukusiba,tujja kukukuba,poliisi ejja,tumanyi gy obeera',
  },
  { in: 'zh', category: 'threat', action: 'block', words: '弄死你,上门抓人,让你坐牢,找你家人,打断你的腿,走着瞧' },
  { in: 'zh', category: 'insult', action: 'block', words: '骗子,小偷,去死,白痴,老赖,垃圾,无耻' },
  { in: 'zh', category: 'shame', action: 'block', words: '曝光你,群发通讯录,告诉你老板,爆通讯录' },
  { in: 'zh', category: 'false_claim', action: 'warn', words: '无息贷款,包过,政府贷款,法院传票' },
]

/** What staff have written, with a word in it. */
const notes: readonly string[] = [
  'Called 0772345678: the customer is a liar and hangs up',
  'Told him about the court order, he will pay on Friday',
  'Alisema mimi ni mwizi, nikamjibu yeye ni mwongo',
  'She says the T.H.I.E.F. who took the phone has the money too',
  'Promised to pay, asked whether police are coming to 256701234567',
  '客户称我们是骗子，已解释费用',
  'Hana pesa, anasema bila riba tu',
]
const writers = ['auditor1', 'auditor2', 'auditor4', 'auditor5', 'cs2'] as const
const hitCount = 52

/** Words that no text may hold, and what was caught in the last four weeks. */
export const writeSensitiveWords = async (tx: Tx): Promise<void> => {
  const hand = handFor([sensitiveWordModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const begun = at(tx, new Date(tx.now.getTime() - 35 * day))
  const save = (input: object) => hand.call(begun, boss, sensitiveWord.save, input as Save)
  for (const { in: wordLanguage, category, action: wordAction, words: newWords } of groups)
    await save({ newWords, wordLanguage, category, scopes: said, wordAction })
  await save({
    newWords: 'free money,cash now',
    wordLanguage: 'en',
    category: 'false_claim',
    scopes: ['sms', 'whatsapp'],
    wordAction: 'replace',
    replacement: 'a loan',
  })
  await tx.flush()
  const orders = await tx.rows(
    sql<{ orderNo: string }>`select order_no from loan_order order by apply_time desc limit 60`,
  )
  for (let n = 0; n < hitCount; n++) {
    const userNo = userNoOf(writers[(n * 7) % writers.length] as string)
    const then = at(tx, new Date(tx.now.getTime() - ((n * 13) % 28) * day - (n % 9) * 3_600_000))
    const session = await rightsOfPerson(tx, userNo, 'en')
    const text = notes[(n * 3) % notes.length] as string
    const objectNo = orders[(n * 11) % orders.length]?.orderNo ?? ''
    await checkText(
      { tx: then, session },
      { scope: 'follow_note', text, confirmed: true, objectType: 'order', objectNo },
    )
  }
}
