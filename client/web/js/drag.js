// Pointer gestures on the felt: a tap, or a drag from taking hold to letting go. Whatever interrupts it (a second
// finger, a turned phone, a call, the end of the game) cancels it: the cards go home.

/** A finger moves this much before it drags; a mouse less. */
const SLOP = { touch: 9, mouse: 4, pen: 6 };

/** @typedef {{card: number | null, pile: string}} Spot */
/**
 * @typedef {object} Hands
 * @property {(spot: Spot) => boolean} canLift
 * @property {(spot: Spot) => void} onLift
 * @property {(dx: number, dy: number) => void} onDrag
 * @property {(spot: Spot, dx: number, dy: number) => void} onDrop
 * @property {() => void} onCancel
 * @property {(spot: Spot, x: number, y: number) => void} onTap
 */

/** @param {EventTarget | null} target @returns {Spot | null} */
export function spotOf(target) {
  const el = target instanceof Element ? target.closest('[data-pile]') : null;
  if (!(el instanceof HTMLElement) || !el.dataset.pile) return null;
  return { card: el.dataset.card === undefined ? null : Number(el.dataset.card), pile: el.dataset.pile };
}

/** @param {HTMLElement} felt @param {Hands} hands */
export function createDrag(felt, hands) {
  /** @type {{id: number, spot: Spot, x: number, y: number, dx: number, dy: number, lifted: boolean, slop: number} | null} */
  let held = null;
  let frame = 0;

  function cancel() {
    if (!held) return;
    const { lifted, id } = held;
    held = null;
    cancelAnimationFrame(frame);
    if (felt.hasPointerCapture(id)) felt.releasePointerCapture(id);
    if (lifted) hands.onCancel();
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (held) {
      cancel();
      return;
    }
    const spot = spotOf(event.target);
    if (!spot || event.button !== 0) return;
    const slop = event.pointerType === 'mouse' ? SLOP.mouse : event.pointerType === 'pen' ? SLOP.pen : SLOP.touch;
    held = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, dx: 0, dy: 0, lifted: false, slop };
    felt.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!held || event.pointerId !== held.id) return;
    held.dx = event.clientX - held.x;
    held.dy = event.clientY - held.y;
    if (!held.lifted) {
      if (Math.hypot(held.dx, held.dy) < held.slop || !hands.canLift(held.spot)) return;
      held.lifted = true;
      hands.onLift(held.spot);
    }
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => held?.lifted && hands.onDrag(held.dx, held.dy));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (!held || event.pointerId !== held.id) return;
    const { spot, lifted } = held;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    cancelAnimationFrame(frame);
    const far = Math.hypot(dx, dy) >= held.slop;
    held = null;
    if (lifted) hands.onDrop(spot, dx, dy);
    else if (!far) hands.onTap(spot, event.clientX, event.clientY);
  }

  felt.addEventListener('pointerdown', down);
  felt.addEventListener('pointermove', move);
  felt.addEventListener('pointerup', up);
  felt.addEventListener('pointercancel', cancel);
  felt.addEventListener('lostpointercapture', (event) => held && event.pointerId === held.id && cancel());
  felt.addEventListener('contextmenu', (event) => event.preventDefault());
  felt.addEventListener('dragstart', (event) => event.preventDefault());
  const onBlur = () => cancel();
  window.addEventListener('blur', onBlur);
  window.addEventListener('orientationchange', onBlur);
  return {
    cancel,
    active: () => held?.lifted ?? false,
    destroy() {
      cancel();
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('orientationchange', onBlur);
    },
  };
}
