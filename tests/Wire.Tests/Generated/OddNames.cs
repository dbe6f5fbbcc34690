using System.Runtime.CompilerServices;

namespace Wire.Tests.Generated;

/// <summary>Members whose names in payloads are others than their declarations seem to say.</summary>
internal static class OddNames
{
    internal abstract class Named
    {
        [WireName("x")]
        public abstract object P { get; }

        [WireName("y")]
        public abstract string Q { get; }
    }

    // Attributes are inherited by a property of the same type alone.
    internal sealed class Covariant : Named
    {
        public override string P { get; } = "p";

        public override string Q { get; } = "q";

        public int Number = 1;
    }

    // Without their prefix, two have one name.
    internal sealed class Prefixed : ITuple
    {
        public int m_Name;

        public int Name;

        public int Length => 1;

        public object? this[int index] => index == 0 ? Name : throw new ArgumentOutOfRangeException(nameof(index));
    }
}
