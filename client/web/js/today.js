// The player's date, as his own clock and zone say it; never by way of UTC.

/** @param {number} n @param {number} width */
const digits = (n, width) => String(n).padStart(width, '0');

/** The local date, `2026-12-01`. @param {Date} [now] */
export const localDate = (now = new Date()) => `${digits(now.getFullYear(), 4)}-${digits(now.getMonth() + 1, 2)}-${digits(now.getDate(), 2)}`;

/** Minutes by which the local time is ahead of UTC. @param {Date} [now] */
export const utcOffset = (now = new Date()) => -now.getTimezoneOffset();

/** A date in words. @param {string} date @param {string} language */
export function dateText(date, language) {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(new Date(year, month - 1, day));
}

/**
 * Call `changed` whenever the local date becomes another, also when the page was asleep over midnight; until the page that
 * `el` is on is gone.
 * @param {HTMLElement} el @param {(date: string) => void} changed
 */
export function onNewDay(el, changed) {
  let shown = localDate();
  const look = () => {
    if (!el.isConnected) {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      return;
    }
    const date = localDate();
    if (date === shown) return;
    shown = date;
    changed(date);
  };
  const timer = setInterval(look, 5000);
  document.addEventListener('visibilitychange', look);
}
