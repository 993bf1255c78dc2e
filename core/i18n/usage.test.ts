import { describe, expect, it } from 'vitest'
import { type Language, languages } from './language.ts'
import { messages } from './server.ts'

const withoutPlaces = (text: string) => text.replace(/\{\w+\}/g, '')

const texts = (language: Language) => Object.entries(messages[language])
const broken = (language: Language, wrong: (text: string, key: string) => boolean) =>
  texts(language)
    .filter(([key, text]) => wrong(text, key))
    .map(([key, text]) => `${key}: ${text}`)

/** Variants that gave way to one word per concept, and what is said instead. */
const variants: Record<Language, [variant: RegExp, instead: string, except?: readonly string[]][]> = {
  zh: [
    [/罚金/, '罚息'],
    [/驳回/, '退回'],
    [/撤回/, '撤销'],
    [/尚无/, '暂无'],
    [/第二人/, '另一人'],
    [/此操作|此记录/, '该'],
    [/借据/, '放款码'],
    [/初步确认/, '初次确认'],
    [/不在班/, '离岗'],
    [/先扣费用|前收费用/, '预扣费用'],
    [/答复/, '返回'],
    [/实放/, '实际放款'],
    [/重新生成放款码/, '重建放款码'],
    [/起息日/, '还款生效日'],
    [/付款账户/, '资金账户'],
    [/交叉核对/, '信息核对'],
  ],
  en: [
    [/\bflows?\b/i, 'receipt'],
    [/\breplay/i, 'retry'],
    [/\ballot/i, 'allocate'],
    [/\boverflow/i, 'overpayment'],
    [/\bbills?\b|installment/i, 'instalment'],
    [/\be-wallet/i, 'mobile money'],
    [/\bexempt/i, 'waiver'],
    [/\bsecret\b/i, 'setup key'],
    [/\b(un)?b(i|ou)nd\b/i, 'set up'],
    [/\bleader\b/i, 'supervisor'],
    [/\bstate (is|was|changed)\b/i, 'status'],
    [/\btells?\b/i, 'inform'],
    [/refuse (code|reason)/i, 'refusal'],
    [/\bcenter|\bcolor|\w(og|al|an|in)iz(e|ation)\b/i, 'British spelling'],
  ].map(([variant, instead]) => [variant, instead, ['dict.FACE_CONSISTENCY.unsure']] as [RegExp, string, string[]]),
  sw: [
    [/\bsafu\b|safu wima/i, 'mstari, safuwima'],
    [/faulu/i, 'fanikiwa'],
    [/hamisha nje|\buhamisho umeanza|\bhamisho/i, 'toa faili'],
    [/mfanyabiashara|wafanyabiashara/i, 'chapa', ['dict.OCCUPATION.trader']],
    [/mtaji|mkopo halisi/i, 'mkopo wa msingi'],
    [/kuwa tupu/i, 'jaza'],
    [/\bgawa\b|gawiwa|ugawaji/i, 'pangia'],
    [/\bbili\b/i, 'rejesho'],
    [/namba (ya|za) malipo\b/i, 'namba ya utoaji'],
    [/\bnambari\b/i, 'namba'],
    [/utoaji fedha/i, 'utoaji mkopo'],
    [/(ku|u|ime|ya|ha)?rudish\w* nyuma/i, 'tengua'],
    [/deni baya/i, 'deni sugu'],
  ],
}

describe.each(languages)('%s', language => {
  it.each(variants[language])('does not say %s', (variant, _, except = []) =>
    expect(broken(language, (text, key) => variant.test(withoutPlaces(text)) && !except.includes(key))).toEqual([]),
  )

  it('has UGX before every amount', () => {
    const amounts = /(?<!UGX )\{(amount|balance|\w*[aA]mount|penalty|interest|principal|outstanding)\}/
    expect(broken(language, (text, key) => amounts.test(text) && key !== 'common.importSum')).toEqual([])
  })

  it('names a button or label in quotes as it is written there', () => {
    const known = new Set(texts(language).map(([, text]) => text))
    const quoted = texts(language)
      .filter(([key]) => /^(errors|validation)\.|\.next\.|Hint$/.test(key))
      .flatMap(([key, text]) => [...text.matchAll(/“([^”{}]+)”/g)].map(([, name]) => [key, name ?? ''] as const))
    expect(quoted.length).toBeGreaterThan(5)
    expect(quoted.filter(([, name]) => !known.has(name))).toEqual([])
  })
})

describe('Chinese punctuation', () => {
  const han = '\\p{Script=Han}'

  it('is full-width beside Chinese words', () => {
    const half = new RegExp(`${han}[,;:?!()]|[,;:?!()]${han}`, 'u')
    expect(broken('zh', text => half.test(text))).toEqual([])
  })

  it('leaves no space between Chinese words and others', () => {
    const gap = new RegExp(
      `[${'\\p{Script=Han}'}，。：；！？（）“”、] +[\\w{#]|[\\w}%#] +[${'\\p{Script=Han}'}，。：；！？（）]`,
      'u',
    )
    expect(broken('zh', text => gap.test(text))).toEqual([])
  })

  it('ends several sentences with a full stop, and one with none', () => {
    const wrong = (text: string) => {
      const inner = /[。！？](?=.)/.test(text)
      return inner ? !/[。！？”}…]$/.test(text) : text.endsWith('。')
    }
    expect(broken('zh', wrong)).toEqual([])
  })
})
