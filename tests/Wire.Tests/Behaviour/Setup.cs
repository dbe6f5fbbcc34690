using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>Makes the serializers that the tests compare.</summary>
internal static class Setup
{
    private static readonly ConditionalWeakTable<Serializer, Serializer> Reflected = [];

    /// <summary>A filter for every type of the tests.</summary>
    public static WireTypeFilter TestTypes { get; } = Configuration.Types;

    public static Serializer Serializer(bool dynamicCode, Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode, TypeFilter = TestTypes };
        return new Serializer(change is null ? options : change(options));
    }

    /// <summary>
    /// Makes a serializer whose payloads have only what roots declare, and what else a change allows: an old and a new version of a type
    /// share their name, so that a filter must not allow both.
    /// </summary>
    public static Serializer Closed(bool dynamicCode, Func<SerializerOptions, SerializerOptions>? change = null) =>
        Serializer(dynamicCode, o => (change ?? (same => same))(o with { TypeFilter = WireTypeFilter.Default }));

    public static Serializer WithReferences(bool dynamicCode) => Serializer(dynamicCode, o => o with { PreserveObjectReferences = true });

    /// <summary>
    /// Makes the twin of a serializer that works by reflection, always the same one: whatever it writes and reads, it does so in a session.
    /// </summary>
    public static Serializer Reflecting(Serializer serializer) =>
        Reflected.GetValue(serializer, known => new Serializer(known.Options with { DynamicCode = false }));

    public static T RoundTrip<T>(this Serializer serializer, T value) => serializer.Deserialize<T>(serializer.Serialize(value))!;

    public static void OnSmallStack(Action action, int kilobytes)
    {
        Exception? failure = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    failure = e;
                }
            },
            kilobytes << 10);
        thread.Start();
        thread.Join();
        if (failure is not null)
        {
            throw new InvalidOperationException("The thread failed: " + failure, failure);
        }
    }
}
