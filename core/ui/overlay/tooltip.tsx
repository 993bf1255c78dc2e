import 'virtual:radix-more'
import { Tooltip as Radix } from '@radix-ui/themes'
import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'

/** A word of explanation on hover and focus; never the only place of what somebody needs. */
export const Tooltip = (props: ComponentProps<typeof Radix>) => (
  <Primitive.Provider delayDuration={200}>
    <Radix container={usePortalContainer()} {...props} />
  </Primitive.Provider>
)
