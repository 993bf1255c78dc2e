import { describe, it } from 'vitest'
import { knownCases } from './fixtures/known.ts'
import { runTimeline } from './fixtures/timeline.ts'

describe.each([...new Set(knownCases.map(each => each.group))])('%s', group => {
  it.each(knownCases.filter(each => each.group === group && 'timeline' in each))('$id of $source', known => {
    runTimeline(known)
  })
})
