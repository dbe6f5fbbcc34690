namespace Wire.Tests.Behaviour;

/// <summary>Makes the serializers that the tests compare.</summary>
internal static class Setup
{
    /// <summary>A filter for every type of the tests.</summary>
    public static WireTypeFilter TestTypes { get; } = WireTypeFilter.Default.AllowAssembly(typeof(Setup).Assembly);

    public static Serializer Serializer(bool dynamicCode, Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode, TypeFilter = TestTypes };
        return new Serializer(change is null ? options : change(options));
    }

    public static Serializer WithReferences(bool dynamicCode) => Serializer(dynamicCode, o => o with { PreserveObjectReferences = true });

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
