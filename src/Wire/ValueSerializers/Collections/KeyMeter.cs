using System.Collections;
using System.Numerics;
using System.Reflection;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Weighs keys: the cost of hashing and comparing them, in steps of a few nanoseconds. It visits them as .NET does, but in a loop, so that
/// no key is too deep, and stops at a maximal weight. Not thread-safe.
/// </summary>
/// <param name="look">The part of a key that the comparer visits.</param>
internal sealed class KeyMeter(KeyStructure.Look look)
{
    /// <summary>The depth to which the parts of a key may nest: hashing and comparing them recurses.</summary>
    public const int MaxDepth = 1 << 10;

    /// <summary>The steps that a byte of a payload may cost when it is hashed or compared: a part of a key takes at least a byte.</summary>
    public const int StepsPerByte = 4;

    /// <summary>The part of each key that may be shared with others. Shared parts take no bytes, but time for each key.</summary>
    public const int SharedSteps = 64;

    private const int BytesPerStep = 16;

    // One for each level down to the current part, so its size is the depth of the key.
    private readonly Stack<Level> _levels = new();
    private long _weight;

    /// <summary>Gets the depth to which the parts of the keys so far lie.</summary>
    public int Depth { get; private set; }

    /// <summary>Gets whether that is too deep.</summary>
    public bool IsTooDeep => Depth > MaxDepth;

    /// <summary>Returns the weight that keys may have without counting: proportional to their bytes, and a little for each.</summary>
    public static long Free(long bytes, int count) => (StepsPerByte * bytes) + ((long)SharedSteps * count);

    /// <summary>Weighs a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="most">The weight at which weighing stops.</param>
    public long Weigh(object? key, long most)
    {
        _weight = 0;
        Add(key, 0);
        while (_weight <= most && !IsTooDeep && _levels.TryPop(out Level level))
        {
            Depth = Math.Max(Depth, level.Depth);
            if (level.TryNext(out object? part))
            {
                _levels.Push(level);
                _weight += StepsPerByte;
                Add(part, level.Depth + 1);
            }
        }

        _levels.Clear();
        return _weight;
    }

    private void Add(object? value, int depth)
    {
        switch (value)
        {
            case null:
                return;
            case string text:
                _weight += text.Length * sizeof(char) / BytesPerStep;
                return;
            case BigInteger number:
                _weight += number.GetByteCount() / BytesPerStep;
                return;
            case Uri uri:
                _weight += uri.OriginalString.Length;
                return;
            case Array array when look != KeyStructure.Look.WithArrays:
                return;
            case object?[] items:
                _levels.Push(new Level(items, null, depth));
                return;
            case Array array:
                // Each element becomes an object before it is compared.
                _weight += (long)array.Length * StepsPerByte;
                return;
        }

        if (KeyStructure.PlanOf(value.GetType()) is { IsStructural: true } plan)
        {
            _levels.Push(
                plan.IsSequence ? new Level(((IEnumerable)value).GetEnumerator(), null, depth) : new Level(value, plan.Fields, depth));
        }
    }

    /// <summary>A value whose parts are being visited: an array, the enumerator of a sequence, or an object with fields.</summary>
    private struct Level(object value, FieldInfo[]? fields, int depth)
    {
        private int _next;

        public readonly int Depth => depth;

        public bool TryNext(out object? part)
        {
            part = null;
            switch (value)
            {
                case var _ when fields is not null:
                    if (_next == fields.Length)
                    {
                        return false;
                    }

                    part = fields[_next++].GetValue(value);
                    return true;
                case object?[] items:
                    if (_next == items.Length)
                    {
                        return false;
                    }

                    part = items[_next++];
                    return true;
                default:
                    var parts = (IEnumerator)value;
                    if (!parts.MoveNext())
                    {
                        return false;
                    }

                    part = parts.Current;
                    return true;
            }
        }
    }
}
