/** What the clock of a `DateTime` is of. */
export type DateTimeKind = "unspecified" | "utc" | "local" | "localFirst";

const ticksPerSecond = 10_000_000;
const ticksPerDay = 864_000_000_000n;
const dayOfEpoch = 719_162;

/** Ticks of 100 ns since 0001-01-01, at the end of the year 9999. */
export const maxTicks = 3_155_378_975_999_999_999n;
export const maxDays = 3_652_058;

export class DateTimeValue {
  readonly ticks: bigint;
  readonly kind: DateTimeKind;

  constructor(ticks: bigint, kind: DateTimeKind) {
    this.ticks = ticks;
    this.kind = kind;
  }

  toString(): string {
    const suffix = { unspecified: "", utc: "Z", local: "[local]", localFirst: "[local, first]" }[this.kind];
    return clock(this.ticks) + suffix;
  }
}

/** The ticks are those of the local clock. */
export class DateTimeOffsetValue {
  readonly ticks: bigint;
  readonly offsetMinutes: number;

  constructor(ticks: bigint, offsetMinutes: number) {
    this.ticks = ticks;
    this.offsetMinutes = offsetMinutes;
  }

  toString(): string {
    const minutes = Math.abs(this.offsetMinutes);
    const sign = this.offsetMinutes < 0 ? "-" : "+";
    return `${clock(this.ticks)}${sign}${digits(Math.floor(minutes / 60), 2)}:${digits(minutes % 60, 2)}`;
  }
}

/** Days since 0001-01-01. */
export class DateOnlyValue {
  readonly days: number;

  constructor(days: number) {
    this.days = days;
  }

  toString(): string {
    return date(this.days);
  }
}

/** Ticks of 100 ns since midnight. */
export class TimeOnlyValue {
  readonly ticks: bigint;

  constructor(ticks: bigint) {
    this.ticks = ticks;
  }

  toString(): string {
    return timeOfDay(this.ticks);
  }
}

export class TimeSpanValue {
  readonly ticks: bigint;

  constructor(ticks: bigint) {
    this.ticks = ticks;
  }

  toString(): string {
    const ticks = this.ticks < 0n ? -this.ticks : this.ticks;
    const days = ticks / ticksPerDay;
    const rest = Number(ticks % ticksPerDay);
    const fraction = rest % ticksPerSecond;
    const text = seconds(Math.floor(rest / ticksPerSecond)) + (fraction === 0 ? "" : `.${digits(fraction, 7)}`);
    return (this.ticks < 0n ? "-" : "") + (days === 0n ? "" : `${days}.`) + text;
  }
}

function clock(ticks: bigint): string {
  return `${date(Number(ticks / ticksPerDay))}T${timeOfDay(ticks % ticksPerDay)}`;
}

/** The Gregorian date of a day, of which all years fit the built-in dates of JavaScript. */
function date(days: number): string {
  const day = new Date((days - dayOfEpoch) * 86_400_000);
  return `${digits(day.getUTCFullYear(), 4)}-${digits(day.getUTCMonth() + 1, 2)}-${digits(day.getUTCDate(), 2)}`;
}

function timeOfDay(ticks: bigint): string {
  const all = Number(ticks);
  const fraction = digits(all % ticksPerSecond, 7).replace(/0+$/, "");
  return seconds(Math.floor(all / ticksPerSecond)) + (fraction === "" ? "" : `.${fraction}`);
}

function seconds(all: number): string {
  return `${digits(Math.floor(all / 3600), 2)}:${digits(Math.floor(all / 60) % 60, 2)}:${digits(all % 60, 2)}`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}
