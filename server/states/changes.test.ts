import { describe, expect, it } from 'vitest'
import { changes } from './changes.ts'

describe('changes', () => {
  it('keeps what differs, on both sides', () => {
    expect(
      changes(
        { status: 'a', amount: '1.00', gone: 'x', same: 1 },
        { status: 'b', amount: '1.00', gone: null, same: 1, added: 'y' },
      ),
    ).toEqual({
      before: { status: 'a', gone: 'x', added: null },
      after: { status: 'b', gone: null, added: 'y' },
    })
  })

  it('takes absent and null for the same', () => {
    expect(changes({}, { remark: null })).toEqual({ before: {}, after: {} })
  })
})
