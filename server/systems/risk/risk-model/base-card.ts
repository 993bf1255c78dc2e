import type { Band } from '../../../../core/rules/risk/bands.ts'
import type { CardBin } from '../../../../core/rules/risk/scorecard.ts'
import { hashOf, type ModelContent } from './content.ts'
import type { ModelInForce } from './in-force.ts'

/** Ranges that end where the next one begins, the last without an end, and the points when the fact is missing. */
const ranges = (
  fact: string,
  upTo: readonly (readonly [to: string, points: number])[],
  beyond: number,
  missing: number,
): CardBin[] => [
  ...upTo.map(([binTo, points], at) => ({
    fact,
    ...(at ? { binFrom: (upTo[at - 1] as readonly [string, number])[0] } : {}),
    binTo,
    points,
  })),
  { fact, binFrom: (upTo.at(-1) as readonly [string, number])[0], points: beyond },
  { fact, points: missing },
]
const either = (fact: string, yes: number, no: number): CardBin[] => [
  { fact, binValue: 'true', points: yes },
  { fact, binValue: 'false', points: no },
  { fact, points: no },
]

/** The first scorebase card, and the champion until people agree to another one. */
export const baseCard: ModelContent = {
  modelKind: 'scorecard',
  basePoints: 600,
  scoreMin: 300,
  scoreMax: 850,
  endpoint: null,
  factKeys: null,
  bins: [
    ...ranges(
      'order.incomeShare',
      [
        ['0.15', 90],
        ['0.3', 60],
        ['0.6', 20],
        ['1', -20],
      ],
      -80,
      -80,
    ),
    ...ranges(
      'customer.age',
      [
        ['24', -10],
        ['55', 20],
      ],
      -10,
      -10,
    ),
    ...ranges(
      'history.settledCount',
      [
        ['0', 0],
        ['1', 25],
        ['2', 50],
        ['3', 75],
      ],
      100,
      0,
    ),
    ...ranges('history.settledOnTime', [['0', 0]], 30, 0),
    ...ranges(
      'history.maxOverdueDays',
      [
        ['0', 0],
        ['7', -25],
      ],
      -80,
      0,
    ),
    ...ranges(
      'history.openOrderCount',
      [
        ['0', 0],
        ['1', -50],
        ['2', -100],
        ['3', -150],
      ],
      -200,
      0,
    ),
    ...ranges(
      'contacts.count',
      [
        ['1', 0],
        ['2', 10],
      ],
      20,
      0,
    ),
    ...ranges(
      'contacts.overdueCount',
      [
        ['0', 0],
        ['1', -30],
        ['2', -60],
      ],
      -90,
      0,
    ),
    ...either('device.rooted', -60, 0),
    ...ranges(
      'device.accountCount',
      [
        ['0', 0],
        ['1', -40],
      ],
      -80,
      0,
    ),
    ...ranges(
      'history.refusedCount30d',
      [
        ['0', 0],
        ['1', -30],
        ['2', -60],
      ],
      -90,
      0,
    ),
    ...either('wallet.sameAsPhone', 10, -40),
  ],
}

const levels: readonly Omit<Band, 'loanKind'>[] = [
  { modelLevel: 'A', scoreFrom: 720, scoreTo: 850, bandDecision: 'approve', maxAmountRate: '100' },
  { modelLevel: 'B', scoreFrom: 660, scoreTo: 719, bandDecision: 'review', maxAmountRate: '100' },
  { modelLevel: 'C', scoreFrom: 600, scoreTo: 659, bandDecision: 'review', maxAmountRate: '100' },
  { modelLevel: 'D', scoreFrom: 520, scoreTo: 599, bandDecision: 'review', maxAmountRate: '100' },
  { modelLevel: 'E', scoreFrom: 300, scoreTo: 519, bandDecision: 'refuse', maxAmountRate: '0' },
]
/** Its levels: the best go without a person, the worst are refused. */
export const baseBands = { firstBands: levels, repeatBands: levels }

/** The model that orders are scored by. */
export const baseModelNo = 'MD-BASE'
/** The version that is there at the first start. */
export const baseVersionNo = 'MV-BASE-1'

/** The card as it is where nothing was set up yet: of a version that no row stands for. */
export const baseModel: ModelInForce = {
  ...baseCard,
  modelVersionNo: baseVersionNo,
  modelNo: baseModelNo,
  modelVersion: 1,
  modelRole: 'champion',
  trafficPercent: 0,
  sha256: hashOf(baseCard),
  credential: null,
  isLoaded: true,
}
