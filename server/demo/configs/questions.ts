import { sql } from 'kysely'
import { auditQuestions } from '../../../core/contract/audit/question.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'

type Held = { questionNo: string; enabled: string; version: number }
const { machine } = auditQuestions
const actor = system('demo')

type Option = readonly [zh: string, local: string]
type Question = {
  no: string
  zh: string
  local: string
  type: 'single' | 'multiple' | 'text'
  options?: readonly Option[]
  optional?: true
  scope?: 'first'
  disabled?: true
}

/** Places where customers of the demo work, as auditors ask for them. */
const workplaces: readonly Option[] = [
  ['商铺', 'Shop'],
  ['集市摊位', 'Market stall'],
  ['学校', 'School'],
  ['医院', 'Hospital'],
  ['政府机关', 'Government office'],
  ['工厂', 'Factory'],
  ['建筑工地', 'Building site'],
  ['农场', 'Farm'],
  ['渔业', 'Fishing'],
  ['摩的', 'Boda boda'],
  ['出租车', 'Taxi'],
  ['货运', 'Lorry'],
  ['银行', 'Bank'],
  ['移动支付代理', 'Mobile money agent'],
  ['餐馆', 'Restaurant'],
  ['酒店', 'Hotel'],
  ['保安公司', 'Security company'],
  ['裁缝铺', 'Tailoring workshop'],
  ['修车铺', 'Garage'],
  ['家中', 'At home'],
]

const questions: readonly Question[] = [
  {
    no: 'Q1',
    zh: '是否本人接听电话？',
    local: 'Did the customer answer the phone in person?',
    type: 'single',
    options: [
      ['本人', 'In person'],
      ['他人', 'Somebody else'],
      ['无人接听', 'Nobody'],
    ],
  },
  {
    no: 'Q2',
    zh: '借款用途是否属实？',
    local: 'Is the purpose of the loan plausible?',
    type: 'single',
    options: [
      ['属实', 'Plausible'],
      ['存疑', 'Doubtful'],
    ],
  },
  {
    no: 'Q3',
    zh: '收入来源是否核实？',
    local: 'Was the source of income confirmed?',
    type: 'single',
    options: [
      ['已核实', 'Confirmed'],
      ['无法核实', 'Could not be confirmed'],
    ],
  },
  {
    no: 'Q4',
    zh: '已核对的资料',
    local: 'Documents compared',
    type: 'multiple',
    options: [
      ['身份证', 'National ID'],
      ['自拍', 'Selfie'],
      ['收入证明', 'Proof of income'],
    ],
  },
  { no: 'Q5', zh: '审核意见', local: 'Your impression', type: 'text', optional: true },
  {
    no: 'Q6',
    zh: '首次借款的客户是否了解还款方式？',
    local: 'Does the new customer know how to repay?',
    type: 'single',
    options: [
      ['了解', 'Yes'],
      ['已当场说明', 'Explained on the call'],
    ],
    scope: 'first',
  },
  { no: 'Q7', zh: '工作地点', local: 'Place of work', type: 'single', options: workplaces, optional: true },
  {
    no: 'Q8',
    zh: '联系人是否配合？',
    local: 'Did the contacts cooperate?',
    type: 'multiple',
    options: [
      ['配合', 'Cooperated'],
      ['拒绝沟通', 'Refused to talk'],
      ['不认识客户', 'Does not know the customer'],
    ],
    optional: true,
  },
  {
    no: 'Q9',
    zh: '客户是否使用他人手机？',
    local: "Does the customer use somebody else's phone?",
    type: 'single',
    options: [
      ['是', 'Yes'],
      ['否', 'No'],
    ],
    disabled: true,
  },
]

/** Nine questions: one for first loans only, one with twenty options, one that is off. */
export const writeQuestions = async (tx: Tx): Promise<void> => {
  for (const [index, { no, zh, local, type, options = [], optional, scope, disabled }] of questions.entries()) {
    const numbered = options.map(([optionZh, optionLocal], at) => ({
      optionNo: `${no}-${at + 1}`,
      optionZh,
      optionLocal,
    }))
    const row = {
      questionNo: no,
      questionZh: zh,
      questionLocal: local,
      questionType: type,
      options: json(numbered),
      required: !optional,
      loanKindScope: scope ?? 'both',
      sort: index + 1,
      createdTime: tx.now,
      updatedTime: tx.now,
    }
    await create(tx, machine, row, { event: 'item.create' }, actor)
    const made = await tx.one(
      sql<Held>`select question_no, enabled, version from audit_question where question_no = ${no}`,
    )
    if (!disabled) await transition(tx, machine, made, { event: 'item.enable' }, actor)
  }
}
