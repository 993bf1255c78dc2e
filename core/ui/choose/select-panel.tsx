import { Select as Radix } from '@radix-ui/themes'
import { Select as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import type { Overlay } from '../overlay/overlay-state.ts'
import { Themed } from '../overlay/themed.tsx'
import { StandIn } from '../stand-in.tsx'
import { OptionContext, useChoice } from './select-choice.ts'

type Props = ComponentProps<typeof Radix.Content> & { overlay: Overlay }

/** The part of a select that is fetched apart. */
export const SelectPanel = ({ overlay, children, ...props }: Props) => {
  const { size, value, choose, disabled } = useChoice()
  return (
    <Radix.Root
      size={size}
      value={value}
      onValueChange={choose}
      disabled={disabled}
      open={overlay.open}
      onOpenChange={overlay.setOpen}
    >
      <Primitive.Trigger asChild>
        <StandIn overlay={overlay} />
      </Primitive.Trigger>
      <Themed>
        <Radix.Content
          container={usePortalContainer()}
          id={overlay.id}
          position="popper"
          collisionPadding={10}
          style={{ minWidth: overlay.button.current?.offsetWidth }}
          {...props}
        >
          <OptionContext value={Radix.Item}>{children}</OptionContext>
        </Radix.Content>
      </Themed>
    </Radix.Root>
  )
}
