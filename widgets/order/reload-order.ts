import { useCallback } from 'react'
import { useSWRConfig } from 'swr'

const isOf = (orderNo: string) => (part: unknown) =>
  typeof part === 'object' && part !== null && 'orderNo' in part && part.orderNo === orderNo

/** Reloads everything that is shown of an order. */
export const useReloadOrder = (orderNo: string) => {
  const { mutate } = useSWRConfig()
  return useCallback(() => void mutate(key => Array.isArray(key) && key.some(isOf(orderNo))), [mutate, orderNo])
}
