import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { baseOptionModule } from '../../systems/telemarketing/base-option/base-option.ts'
import { writeBaseOptions } from '../../systems/telemarketing/base-option/seed.ts'
import { dictionaryModule } from '../../systems/user/dictionary/dictionary.ts'
import { writeDictionaries } from '../../systems/user/dictionary/seed.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { dictionary, baseOption } = contract
const day = 86_400_000
type Item = readonly [keyValue: string, zh: string, en: string, sw?: string]
type Kind = {
  dictType: string
  dictName: string
  codeTableType?: 'error_code'
  valueType?: 'json'
  items: readonly Item[]
  /** Items of the second level, by the key above them. */
  below?: Readonly<Record<string, readonly Item[]>>
}

/** What a mobile money network answers to payouts and collections. */
const answers: readonly Item[] = [
  ['1001', '手机号{phone}未注册移动钱包', 'No wallet on {phone}', 'Namba {phone} haina pochi'],
  ['1002', '钱包已冻结', 'The wallet is frozen', 'Pochi imefungiwa'],
  ['1003', '钱包未完成实名认证', 'The wallet is not verified', 'Pochi haijathibitishwa'],
  ['1004', '收款人姓名不符', 'The name of the payee differs', 'Jina la mpokeaji halilingani'],
  ['1005', '钱包余额将超过上限{limit}', 'The wallet would exceed {limit}', 'Pochi itazidi kikomo cha {limit}'],
  ['1006', '超过单笔限额{limit}', 'Above {limit} a transaction', 'Zaidi ya {limit} kwa muamala'],
  ['1007', '超过单日限额{limit}', 'Above {limit} a day', 'Zaidi ya {limit} kwa siku'],
  ['1008', '低于最低金额{limit}', 'Below the least amount of {limit}', 'Chini ya kiwango cha {limit}'],
  ['2001', '客户余额不足', 'The customer has too little money', 'Salio la mteja halitoshi'],
  ['2002', '客户已拒绝付款', 'The customer declined', 'Mteja amekataa'],
  ['2003', '客户未在{minutes}分钟内确认', 'No answer within {minutes} min', 'Hakuna jibu ndani ya dakika {minutes}'],
  ['2004', '密码错误次数过多', 'Too many wrong PINs', 'PIN imekosewa mara nyingi mno'],
  ['2005', '客户已有待确认的付款', 'Another payment waits for the customer', 'Malipo mengine yanasubiri mteja'],
  ['2006', '付款请求已过期', 'The request has expired', 'Ombi limeisha muda'],
  ['3001', '我方账户余额不足', 'Our account has too little money', 'Salio la akaunti yetu halitoshi'],
  ['3002', '我方账户已停用', 'Our account is suspended', 'Akaunti yetu imesimamishwa'],
  ['3003', '请求签名无效', 'The signature is not valid', 'Sahihi si halali'],
  ['3004', '访问令牌已过期', 'The access token has expired', 'Tokeni imeisha muda'],
  ['3005', '来源地址未获许可', 'The address is not admitted', 'Anwani haijaruhusiwa'],
  ['4001', '流水号{reference}重复', 'Reference {reference} is repeated', 'Kumbukumbu {reference} imerudiwa'],
  ['4002', '流水号{reference}不存在', 'Reference {reference} is unknown', 'Kumbukumbu {reference} haijulikani'],
  ['4003', '币种不支持', 'The currency is not supported', 'Sarafu haitumiki'],
  [
    '5001',
    '网络繁忙，请在{seconds}秒后重试',
    'Busy: try again in {seconds} s',
    'Shughuli nyingi: jaribu baada ya sekunde {seconds}',
  ],
  ['5002', '运营商系统维护中', 'The network is under maintenance', 'Mtandao uko kwenye matengenezo'],
  ['5003', '结果未知，请稍后查询', 'Result unknown: ask later', 'Matokeo hayajulikani: uliza baadaye'],
]

const banner = (title: string, path: string) => JSON.stringify({ title, image: `/banners/${path}.png`, days: 14 })

const kinds: readonly Kind[] = [
  { dictType: 'WALLET_ANSWER', dictName: '移动钱包应答码', codeTableType: 'error_code', items: answers },
  {
    dictType: 'APP_BANNER',
    dictName: '应用横幅',
    valueType: 'json',
    items: [
      [
        'first_loan',
        banner('首次借款', 'first'),
        banner('Your first loan', 'first'),
        banner('Mkopo wa kwanza', 'first'),
      ],
      ['school_fees', banner('学费借款', 'school'), banner('School fees', 'school'), banner('Ada za shule', 'school')],
    ],
  },
  {
    dictType: 'LOAN_PURPOSE_DETAIL',
    dictName: '借款用途明细',
    items: [
      ['trade', '经营', 'Trade', 'Biashara'],
      ['farming', '农业', 'Farming', 'Kilimo'],
      ['family', '家庭', 'Family', 'Familia'],
    ],
    below: {
      trade: [
        ['stock', '进货', 'Stock', 'Bidhaa'],
        ['stall_rent', '摊位租金', 'Rent of a stall', 'Kodi ya kibanda'],
      ],
      farming: [
        ['seed', '种子', 'Seed', 'Mbegu'],
        ['livestock', '牲畜', 'Livestock', 'Mifugo'],
      ],
      family: [
        ['school', '学费', 'School fees', 'Ada ya shule'],
        ['medical', '医疗', 'Medical care', 'Matibabu'],
      ],
    },
  },
  {
    dictType: 'CONTACT_PLACE',
    dictName: '受理地点',
    items: [
      ['branch', '网点', 'Branch', 'Tawi'],
      ['kiosk', '自助终端', 'Kiosk'],
      ['trade_fair', '展会', 'Trade fair'],
      ['boda_stage', '摩的站点', 'Boda stage'],
    ],
  },
]

type Call = (endpoint: unknown, input: object) => Promise<Record<string, unknown>>

const writeKind = async (call: Call, kind: Kind, typeSort: number): Promise<void> => {
  const { dictType, dictName, codeTableType = 'ordinary', valueType = 'text', items, below = {} } = kind
  const save = async (given: readonly Item[], parentKey?: string) => {
    for (const [index, [keyValue, label, labelEn, labelSw]] of given.entries())
      await call(dictionary.save, {
        dictType,
        parentKey,
        keyValue,
        valueType,
        label,
        labelEn,
        labelSw,
        sort: index + 1,
      })
  }
  await call(dictionary.typeSave, { dictType, dictName, codeTableType, typeSort })
  await save(items)
  for (const [parentKey, children] of Object.entries(below)) await save(children, parentKey)
}

/** Dictionaries that an operator has added, and two options for breaks: one out of use, one that nobody has chosen yet. */
export const writeWords = async (tx: Tx): Promise<void> => {
  const begun = at(tx, new Date(tx.now.getTime() - 40 * day))
  await writeDictionaries(begun)
  await writeBaseOptions(begun)
  await tx.flush()
  const hand = handFor([dictionaryModule(), baseOptionModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const call: Call = async (endpoint, input) => {
    const answer = await hand.call(begun, boss, endpoint as Endpoint, input as never)
    await tx.flush()
    return answer as Record<string, unknown>
  }
  const { last } = await tx.one(sql<{ last: number }>`select max(type_sort) as last from dict_type`)
  for (const [index, kind] of kinds.entries()) await writeKind(call, kind, last + index + 1)
  const names = { nameZh: '外出', nameEn: 'Errand', nameSw: 'Shughuli ya nje' }
  await call(baseOption.save, { baseType: 'PAUSE_REASON', optionCode: 'errand', sort: 6, ...names })
  const training = await tx.one(
    sql<{ optionNo: string; version: number }>`
      select option_no, version from base_option where base_type = 'PAUSE_REASON' and option_code = 'training'`,
  )
  await call(baseOption.state, { ...training, enabled: false })
}
