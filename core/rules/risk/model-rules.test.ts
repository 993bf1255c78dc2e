import { describe, expect, it } from 'vitest'
import { bucketOf, challengerOf } from './arms.ts'
import { type Band, bandOf, bandsFlaw } from './bands.ts'
import { type CardBin, canonical, cardFlaw, costliest, sumCard } from './scorecard.ts'
import { histogram, psi, psiVerdict, separation } from './statistics.ts'

const age: CardBin[] = [
  { fact: 'customer.age', binTo: '24', points: -10 },
  { fact: 'customer.age', binFrom: '24', binTo: '55', points: 20 },
  { fact: 'customer.age', binFrom: '55', points: -10 },
  { fact: 'customer.age', points: 0 },
]
const rooted: CardBin[] = [
  { fact: 'device.rooted', binValue: 'true', points: -60 },
  { fact: 'device.rooted', binValue: 'false', points: 0 },
  { fact: 'device.rooted', points: -5 },
]
const card = { basePoints: 600, scoreMin: 300, scoreMax: 850, bins: [...age, ...rooted] }

describe('a scorecard', () => {
  it('adds whole points of the row that each fact lies in', () => {
    const at = (facts: Record<string, unknown>) => sumCard(card, facts).score
    expect(at({ 'customer.age': 25, 'device.rooted': false })).toBe(620)
    expect(at({ 'customer.age': 24, 'device.rooted': true })).toBe(530)
    expect(at({ 'customer.age': 56 })).toBe(585)
    expect(at({})).toBe(595)
    expect(at({ 'customer.age': null, 'device.rooted': null })).toBe(595)
  })

  it('ends where it says', () => {
    expect(sumCard({ ...card, scoreMax: 610 }, { 'customer.age': 30, 'device.rooted': false }).score).toBe(610)
    expect(sumCard({ ...card, scoreMin: 540 }, { 'customer.age': 20, 'device.rooted': true }).score).toBe(540)
  })

  it('names the facts that cost most', () => {
    const { parts } = sumCard(card, { 'customer.age': 20, 'device.rooted': true })
    expect(costliest(parts).map(part => [part.fact, part.lost])).toEqual([
      ['device.rooted', 60],
      ['customer.age', 30],
    ])
    expect(costliest(sumCard(card, { 'customer.age': 30, 'device.rooted': false }).parts)).toEqual([])
  })

  it('has no gap, no overlap, and points for what is missing', () => {
    const key = (bins: CardBin[]) => cardFlaw(bins)?.key ?? null
    expect(key([...card.bins])).toBeNull()
    expect(key([])).toBe('validation.infoComplete')
    expect(key(age.slice(0, 3))).toBe('validation.binsMissing')
    expect(key([age[0], age[2], age[3]] as CardBin[])).toBe('validation.binsGap')
    expect(key(age.slice(1))).toBe('validation.binsGap')
    expect(key([age[0], age[1], age[3]] as CardBin[])).toBe('validation.binsGap')
    expect(key([{ ...age[0], binTo: '26' } as CardBin, ...age.slice(1)])).toBe('validation.binsOverlap')
    expect(key([...rooted, rooted[0] as CardBin])).toBe('validation.binsOverlap')
    expect(key(rooted.slice(1))).toBe('validation.binsFew')
    expect(key([age[0], rooted[2], { ...rooted[0], fact: 'customer.age' }, age[3]] as CardBin[])).not.toBeNull()
    expect(cardFlaw([age[0], age[2], age[3]] as CardBin[])).toEqual({
      key: 'validation.binsGap',
      params: { fact: 'customer.age', from: '24', to: '55' },
    })
  })

  it('has one text whatever the order of its fields', () => {
    expect(canonical({ b: 1, a: [{ d: null, c: 'x' }] })).toBe('{"a":[{"c":"x"}],"b":1}')
    expect(canonical({ a: [{ c: 'x' }], b: 1 })).toBe(canonical({ b: 1, a: [{ c: 'x' }] }))
  })
})

const band = (
  modelLevel: string,
  scoreFrom: number,
  scoreTo: number,
  bandDecision: Band['bandDecision'],
  loanKind: Band['loanKind'] = 'first',
): Band => ({ loanKind, modelLevel, scoreFrom, scoreTo, bandDecision, maxAmountRate: '100' })
const range = { scoreMin: 300, scoreMax: 850 }
const repeat = [band('C', 300, 599, 'refuse', 'repeat'), band('A', 600, 850, 'approve', 'repeat')]
const bands = (...first: Band[]) => [...first, ...repeat]

describe('bands of a cut-off', () => {
  const low = band('C', 300, 569, 'refuse')
  const middle = band('B', 570, 659, 'review')
  const high = band('A', 660, 850, 'approve')

  it('cover all scores once', () => {
    expect(bandsFlaw(bands(high, low, middle), range)).toBeNull()
    expect(bandsFlaw(bands(low, { ...middle, scoreFrom: 575 }, high), range)).toEqual({
      key: 'validation.bandGap',
      params: { kind: 'dict.LOAN_KIND.first', from: 570, to: 574 },
    })
    expect(bandsFlaw(bands(low, { ...middle, scoreFrom: 560 }, high), range)).toMatchObject({
      key: 'validation.bandOverlap',
      params: { from: 560, to: 569 },
    })
    expect(bandsFlaw(bands({ ...low, scoreFrom: 310 }, middle, high), range)).toMatchObject({
      params: { from: 300, to: 309 },
    })
    expect(bandsFlaw(bands(low, middle, { ...high, scoreTo: 840 }), range)).toMatchObject({
      params: { from: 841, to: 850 },
    })
    expect(bandsFlaw(bands({ ...low, scoreFrom: 290 }, middle, high), range)?.key).toBe('validation.bandOutside')
    expect(bandsFlaw([low, middle, high], range)).toMatchObject({
      key: 'validation.bandGap',
      params: { kind: 'dict.LOAN_KIND.repeat', from: 300, to: 850 },
    })
  })

  it('fall with the score and get no milder downwards', () => {
    expect(bandsFlaw(bands({ ...low, modelLevel: 'A' }, middle, { ...high, modelLevel: 'C' }), range)?.key).toBe(
      'validation.bandLevels',
    )
    expect(bandsFlaw(bands({ ...low, bandDecision: 'approve' }, middle, high), range)?.key).toBe(
      'validation.bandMilder',
    )
    expect(bandsFlaw(bands(low, { ...middle, scoreFrom: 660, scoreTo: 570 }, high), range)?.key).toBe(
      'validation.bandUpside',
    )
  })

  it('give a score its level, and none outside', () => {
    expect(bandOf([low, middle, high], 'first', 570)?.modelLevel).toBe('B')
    expect(bandOf([low, middle, high], 'first', 851)).toBeUndefined()
    expect(bandOf([low, middle, high], 'repeat', 570)).toBeUndefined()
  })
})

describe('figures of a model', () => {
  it('compute the stability index as by hand', () => {
    // (0.6−0.5)·ln(0.6/0.5) + (0.4−0.5)·ln(0.4/0.5) = 0.0182322 + 0.0223144
    expect(psi([50, 50], [60, 40])).toBeCloseTo(0.0405465, 6)
    expect(psi([10, 20, 70], [10, 20, 70])).toBe(0)
    expect(psi([0, 0], [1, 1])).toBeNull()
    // an empty class counts as 0.0001: (0−… stays finite
    expect(psi([50, 50], [100, 0])).toBeCloseTo(0.5 * Math.log(2) + -0.4999 * Math.log(0.0002), 6)
    expect([null, 0.05, 0.1, 0.3].map(value => psiVerdict(value, 0.1, 0.25))).toEqual([null, 'stable', 'look', 'act'])
  })

  it('compute AUC and KS as by hand', () => {
    // goods at 2, 3, 3; bads at 1, 3: of 6 pairs 2 over 1, and 2 over 1, half of 3 and 3 twice: 1+1+1 + 0 + 0.5 + 0.5 = 4
    const counts = [
      { score: 1, good: 0, bad: 1 },
      { score: 2, good: 1, bad: 0 },
      { score: 3, good: 2, bad: 1 },
    ]
    expect(separation(counts, 1)).toEqual({ known: 5, auc: 4 / 6, ks: 0.5 })
    const split = counts.flatMap(one => [
      { ...one, good: 0 },
      { ...one, bad: 0 },
    ])
    expect(separation(split, 1)).toEqual({ known: 5, auc: 4 / 6, ks: 0.5 })
    expect(separation(counts)).toEqual({ known: 5, auc: null, ks: null })
    expect(separation([{ score: 1, good: 300, bad: 0 }])).toEqual({ known: 300, auc: null, ks: null })
  })

  it('put scores into classes', () => {
    const counts = [300, 349, 350, 850].map(score => ({ score, scored: 1 }))
    expect(histogram(counts, { ...range, classes: 11 })).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })
})

describe('arms', () => {
  const challengers = [
    { versionNo: 'V2', trafficPercent: 10 },
    { versionNo: 'V1', trafficPercent: 5 },
  ]

  it('take their share, and each customer always the same one', () => {
    const of10000 = Array.from({ length: 10_000 }, (_, at) => `C2611${String(at).padStart(6, '0')}`)
    const taken = of10000.map(no => challengerOf(no, [{ versionNo: 'V4', trafficPercent: 10 }]))
    const count = taken.filter(Boolean).length
    expect(count).toBeGreaterThan(900)
    expect(count).toBeLessThan(1_100)
    expect(of10000.map(no => challengerOf(no, [{ versionNo: 'V4', trafficPercent: 10 }]))).toEqual(taken)
  })

  it('lie one behind the other', () => {
    for (let n = 0; n < 300; n++) {
      const bucket = bucketOf(`C${n}`)
      const expected = bucket < 5 ? 'V1' : bucket < 15 ? 'V2' : undefined
      expect(challengerOf(`C${n}`, challengers)?.versionNo).toBe(expected)
    }
  })
})
