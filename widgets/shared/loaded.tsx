import type { ReactNode } from 'react'
import { CallError } from '../../core/client/errors.ts'
import type { Loaded as Read } from '../../core/client/providers.tsx'
import { useText } from '../../core/element/i18n.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'

/** What a read has brought; a skeleton while it runs, its own retry when it failed. Newer failures keep what is on screen. */
export const Loaded = <T,>({
  read,
  skeleton = <Loading rows={4} />,
  children,
}: {
  read: Read<T>
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}) => {
  const t = useText()
  const { data, error, loading, retry } = read
  if (data !== undefined) return children(data)
  if (loading || !error) return skeleton
  const message = error instanceof CallError ? error.message : t('common.noConnection')
  return <Failed message={message} onRetry={() => void retry()} />
}
