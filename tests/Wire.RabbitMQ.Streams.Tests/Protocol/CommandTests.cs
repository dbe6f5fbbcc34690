using System.Buffers;
using System.Collections;
using System.Reflection;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Protocol;

/// <summary>Every group of fields is read as it was written, and a cut one is refused as bad bytes and in no other way.</summary>
public sealed class CommandTests
{
    private static readonly Type[] Named =
        [.. typeof(CommandKey).Assembly.GetTypes().Where(
            type => type is { IsValueType: true, IsGenericType: false, Namespace: "Wire.RabbitMQ.Streams.Protocol" }
                && Implemented(type, typeof(IFieldGroup<>)).Any())];

    // And what the answers consist of that have no name of their own.
    private static readonly Type[] Groups =
        [.. Named.Union(Named.SelectMany(type => Implemented(type, typeof(IRequest<,>))).Select(
            request => request.GetGenericArguments()[1])), typeof(Number<ushort>)];

    /// <summary>All groups of fields that the protocol has.</summary>
    public static TheoryData<Type> AllGroups() => new(Groups);

    [Theory]
    [MemberData(nameof(AllGroups))]
    public void What_is_written_is_read(Type group) => Run(nameof(RoundTrip), group);

    [Theory]
    [MemberData(nameof(AllGroups))]
    public void A_cut_one_is_refused(Type group) => Run(nameof(Cut), group);

    [Fact]
    public void Each_command_has_a_group_and_a_key_of_its_own()
    {
        CommandKey[] keys = [.. Groups.Select(KeyOf).OfType<CommandKey>().Order()];
        Assert.Equal(keys.Distinct(), keys);

        // These are read and written by themselves, since they are many and large.
        Assert.Equal(
            [CommandKey.Publish, CommandKey.PublishConfirm, CommandKey.PublishError, CommandKey.Deliver],
            Enum.GetValues<CommandKey>().Except(keys));
    }

    private static IEnumerable<Type> Implemented(Type type, Type definition) =>
        type.GetInterfaces().Where(each => each.IsGenericType && each.GetGenericTypeDefinition() == definition);

    private static CommandKey? KeyOf(Type group) =>
        (CommandKey?)group.GetProperty(nameof(Heartbeat.Key), BindingFlags.Public | BindingFlags.Static)?.GetValue(null);

    private static void Run(string method, Type group) =>
        typeof(CommandTests).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(group).Invoke(null, null);

    private static void RoundTrip<TGroup>()
        where TGroup : struct, IFieldGroup<TGroup> => Prop.ForAll(Seeds, seed =>
        {
            var group = (TGroup)Arbitrary(typeof(TGroup), new System.Random(seed), depth: 0)!;
            byte[] bytes = Write(group);
            var reader = new ReadFields(bytes, 0);
            TGroup read = default;
            TGroup.Fields(ref read, ref reader);
            reader.CheckAtEnd();
            AssertSame(group, read);
        }).Check(Config.QuickThrowOnFailure);

    private static void Cut<TGroup>()
        where TGroup : struct, IFieldGroup<TGroup> => Prop.ForAll(Seeds, seed =>
        {
            byte[] bytes = Write((TGroup)Arbitrary(typeof(TGroup), new System.Random(seed), depth: 0)!);
            for (int length = 0; length < bytes.Length; length++)
            {
                AmqpFormatException error =
                    Assert.Throws<AmqpFormatException>(() => StreamFrames.Read<TGroup>(bytes.AsSpan(0, length), offset: 1000));
                Assert.InRange(error.Offset, 1000, 1000 + length);
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(20));

    private static Arbitrary<int> Seeds { get; } = Gen.Choose(0, int.MaxValue).ToArbitrary();

    private static byte[] Write<TGroup>(TGroup group)
        where TGroup : struct, IFieldGroup<TGroup>
    {
        var output = new ArrayBufferWriter<byte>();
        var fields = new WriteFields(output);
        TGroup.Fields(ref group, ref fields);
        return output.WrittenSpan.ToArray();
    }

    private static object? Arbitrary(Type type, System.Random random, int depth)
    {
        if (type == typeof(string))
        {
            return random.Next(6) == 0
                ? null
                : new string([.. Enumerable.Range(0, random.Next(12)).Select(_ => "aZ9-é€中"[random.Next(7)])]);
        }

        if (type == typeof(byte[]))
        {
            byte[] bytes = new byte[random.Next(20)];
            random.NextBytes(bytes);
            return random.Next(6) == 0 ? null : bytes;
        }

        if (type.IsInterface)
        {
            Type item = type.GetGenericArguments()[0];
            var items = Array.CreateInstance(item, random.Next(4));
            for (int i = 0; i < items.Length; i++)
            {
                items.SetValue(Arbitrary(item, random, depth + 1), i);
            }

            return items;
        }

        if (type.IsPrimitive)
        {
            return Convert.ChangeType(type == typeof(byte) ? random.Next(256) : type == typeof(ushort)
                ? random.Next(65536)
                : random.NextInt64(type == typeof(uint) ? uint.MaxValue : long.MaxValue), type, null);
        }

        object group = Activator.CreateInstance(type)!;
        foreach (FieldInfo field in type.GetFields())
        {
            field.SetValue(group, Arbitrary(field.FieldType, random, depth + 1));
        }

        // A number goes with two kinds of offsets alone.
        if (group is OffsetFields offset)
        {
            group = new OffsetFields { Kind = (ushort)random.Next(6), Value = offset.Value };
            group = (OffsetFields)group is { Kind: 4 or 5 } kept ? kept : (OffsetFields)group with { Value = 0 };
        }

        return group;
    }

    private static void AssertSame(object? expected, object? actual)
    {
        if (expected is null or string || expected.GetType().IsPrimitive)
        {
            Assert.Equal(expected, actual);
            return;
        }

        if (expected is IList list)
        {
            var others = (IList)actual!;
            Assert.Equal(list.Count, others.Count);
            for (int i = 0; i < list.Count; i++)
            {
                AssertSame(list[i], others[i]);
            }

            return;
        }

        foreach (FieldInfo field in expected.GetType().GetFields())
        {
            AssertSame(field.GetValue(expected), field.GetValue(actual));
        }
    }
}
