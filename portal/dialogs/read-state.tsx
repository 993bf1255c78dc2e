import type { ReactNode } from 'react'
import { CallError } from '../../core/client/errors.ts'
import type { Loaded } from '../../core/client/providers.tsx'
import { useText } from '../../core/element/i18n.ts'
import { Skeleton } from '../../core/ui/basics.ts'
import { Failed } from '../../core/ui/states.tsx'

/** What was read; while it is awaited the room that it will take, and what went wrong otherwise. */
export const ReadState = <T,>({ read, children }: { read: Loaded<T>; children: (data: T) => ReactNode }) => {
  const t = useText()
  if (read.data !== undefined) return children(read.data)
  if (read.error)
    return (
      <Failed
        message={read.error instanceof CallError ? read.error.message : t('common.noConnection')}
        onRetry={() => void read.retry()}
      />
    )
  return [1, 2, 3, 4].map(one => <Skeleton key={one} height="58px" my="2" />)
}
