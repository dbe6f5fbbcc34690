using Wire.Testing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Types that have gained, lost, reordered or widened members since the bytes were written.</summary>
public class VersionTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Members_of_every_kind_can_be_removed_and_others_added(bool dynamicCode)
    {
        Write.Everything everything = Write.Everything.Sample();
        foreach (bool references in new[] { false, true })
        {
            Serializer writer = Setup.Closed(dynamicCode, o => o with
            {
                PreserveObjectReferences = references,
                ValueSerializerFactories = [ValueSerializerFactory.For(new Write.FramedSerializer())],
            });
            Serializer reader = new(new SerializerOptions { DynamicCode = dynamicCode });
            byte[] payload = writer.Serialize(everything);
            for (int i = 0; i < Reads; i++)
            {
                Read.Everything copy = reader.Deserialize<Read.Everything>(payload)!;
                Assert.Equal((1, "middle", 3), (copy.A, copy.Middle, copy.Z));
                Assert.Null(copy.Added);
                Assert.Equal(0, copy.AddedNumber);
            }

            // The types of the removed members are neither allowed nor looked for.
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<object>(payload));
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void The_other_way_round_added_members_keep_their_defaults(bool dynamicCode)
    {
        byte[] payload =
            Setup.Closed(dynamicCode).Serialize(new Read.Everything { A = 5, Middle = "m", Z = 6, Added = [1], AddedNumber = 9 });
        Serializer reader = Setup.Closed(
            dynamicCode, o => o with { ValueSerializerFactories = [ValueSerializerFactory.For(new Write.FramedSerializer())] });
        for (int i = 0; i < Reads; i++)
        {
            Write.Everything copy = reader.Deserialize<Write.Everything>(payload)!;
            Assert.Equal((5, "m", 6), (copy.A, copy.Middle, copy.Z));
            Assert.Null(copy.GoneList);
            Assert.Null(copy.GoneGrid);
            Assert.Equal(default, copy.GoneStruct.At);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void The_order_of_declaration_means_nothing(bool dynamicCode)
    {
        byte[] payload = Setup.Closed(dynamicCode).Serialize(new Write.Ordered { First = 1, Second = "2", Third = 3 });
        Read.Ordered copy = Setup.Closed(dynamicCode).Deserialize<Read.Ordered>(payload)!;
        Assert.Equal((1, "2", 3.0), (copy.First, copy.Second, copy.Third));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Recursive_structs_in_lists_change_with_their_schema(bool dynamicCode)
    {
        var line = new Write.Line
        {
            Count = 200,
            Gone = "gone",
            Inner = [new Write.Line { Count = 7, Gone = "too", Others = [default] }],
            Others = [new() { Count = 3 }],
        };
        byte[] list = Setup.Closed(dynamicCode).Serialize(new List<Write.Line> { line, default });
        byte[] array = Setup.Closed(dynamicCode).Serialize(new[] { line, default });
        byte[] boxed = Setup.Closed(dynamicCode).Serialize<object>(line);
        Serializer reader = new(new SerializerOptions { DynamicCode = dynamicCode });
        for (int i = 0; i < Reads; i++)
        {
            foreach (IList<Read.Line> copy
                in new IList<Read.Line>[] { reader.Deserialize<List<Read.Line>>(list)!, reader.Deserialize<Read.Line[]>(array)! })
            {
                Assert.Equal(2, copy.Count);
                Assert.Equal(200, copy[0].Count);
                Assert.Equal(7, Assert.Single(copy[0].Inner!).Count);
                Assert.Null(copy[1].Inner);
            }

            Assert.Equal(7, reader.Deserialize<Read.Line>(boxed).Inner![0].Count);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_value_can_become_one_that_may_be_null(bool dynamicCode)
    {
        byte[] payload = Setup.Closed(dynamicCode).Serialize(
            new Write.Optional { Number = 5, Color = Color.Blue, At = new Point { X = 3 }, Small = 4, Numbers = [1, 2] });
        Serializer reader = Setup.Closed(dynamicCode);
        for (int i = 0; i < Reads; i++)
        {
            Read.Optional copy = reader.Deserialize<Read.Optional>(payload)!;
            Assert.Equal((5, Color.Blue, 3, 4L), (copy.Number, copy.Color, copy.At!.Value.X, copy.Small));
            Assert.Equal([1L, 2L], copy.Numbers!);
        }

        byte[] back = Setup.Closed(dynamicCode).Serialize(new Read.Optional { Number = 5 });
        var error = Assert.Throws<WireFormatException>(() => Setup.Closed(dynamicCode).Deserialize<Write.Optional>(back));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Structs_without_members_gain_and_lose_them(bool dynamicCode)
    {
        byte[] empty = Setup.Closed(dynamicCode).Serialize(new[] { default(Write.Hollow), default });
        byte[] filled = Setup.Closed(dynamicCode).Serialize(new[] { new Read.Hollow { Value = 5 }, default });
        for (int i = 0; i < Reads; i++)
        {
            Assert.Equal(2, Setup.Closed(dynamicCode).Deserialize<Read.Hollow[]>(empty)!.Length);
            Assert.Equal(2, Setup.Closed(dynamicCode).Deserialize<Write.Hollow[]>(filled)!.Length);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Without_version_tolerance_a_mismatch_is_a_clear_error(bool dynamicCode)
    {
        Serializer tolerant = Setup.Closed(dynamicCode);
        Serializer strict = Setup.Closed(dynamicCode, o => o with { VersionTolerance = false });
        var value = new Write.Ordered { First = 1, Second = "2", Third = 3 };
        foreach ((Serializer writer, Serializer reader) in new[] { (strict, strict), (strict, tolerant), (tolerant, strict) })
        {
            Assert.Equal("2", reader.Deserialize<Write.Ordered>(writer.Serialize(value))!.Second);
            byte[] payload = writer.Serialize(value);
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Read.Ordered>(payload));
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.Contains("Version.Ordered", error.Message, StringComparison.Ordinal);
            Assert.Contains(nameof(SerializerOptions.VersionTolerance), error.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_was_written_without_a_schema_cannot_be_passed_over(bool dynamicCode)
    {
        Serializer strict = Setup.Closed(dynamicCode, o => o with { VersionTolerance = false });
        byte[] payload = strict.Serialize(new Write.Ordered());
        Assert.Throws<WireFormatException>(() => Setup.Closed(dynamicCode).Deserialize<Read.Ordered>(payload));
        byte[] typed = strict.SerializeTyped(new Write.Ordered());
        Assert.Equal(
            WireFormatError.SchemaMismatch,
            Assert.Throws<WireFormatException>(() => strict.DeserializeTyped<Read.Ordered>(typed)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void An_object_of_a_removed_member_is_never_mistaken_for_another(bool dynamicCode)
    {
        var shared = new Leaf { Id = 5 };
        byte[] payload = Setup.Closed(dynamicCode, o => o with { PreserveObjectReferences = true })
            .Serialize(new Write.Sharing { A = shared, B = shared, C = shared });
        Serializer reader = Setup.Closed(dynamicCode);
        for (int i = 0; i < Reads; i++)
        {
            // What has gone by in a connection is gone.
            var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Read.Sharing>(new TrickleStream(payload, 7)));
            Assert.Equal(WireFormatError.Reference, error.Error);
            Assert.Equal("B", error.MemberPath);
            Read.Sharing copy = reader.Deserialize<Read.Sharing>(payload)!;
            Assert.Equal(5, copy.B!.Id);
            Assert.Same(copy.B, copy.C);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Objects_behind_a_removed_member_keep_their_numbers(bool dynamicCode)
    {
        var kept = new Leaf { Id = 5 };
        object junk = new object?[]
        {
            new Leaf(),
            new int[2],
            "s",
            new List<object?> { new object(), new Rich { Any = new Leaf() } },
            new string[,] { { "a" } },
            new Rich[] { default },
        };
        byte[] payload = Setup.Closed(dynamicCode, o => o with { PreserveObjectReferences = true })
            .Serialize(new Write.Sharing { A = junk, B = kept, C = kept });
        Serializer reader = Setup.Closed(dynamicCode);
        for (int i = 0; i < Reads; i++)
        {
            Read.Sharing copy = reader.Deserialize<Read.Sharing>(payload)!;
            Assert.Equal(5, copy.B!.Id);
            Assert.Same(copy.B, copy.C);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_manifest_first_met_in_a_removed_member_is_known_afterwards(bool dynamicCode)
    {
        byte[] payload = Setup.Closed(dynamicCode).Serialize(new Write.Sharing
        {
            A = new Rich { Label = "x" },
            B = new Leaf { Id = 1 },
            C = new Leaf { Id = 2 },
            D = new Rich { Label = "y" },
        });
        Serializer reader = Setup.Closed(dynamicCode, o => o with { TypeFilter = WireTypeFilter.Default.Allow<Rich>().Allow<Leaf>() });
        Read.Sharing copy = reader.Deserialize<Read.Sharing>(payload)!;
        Assert.Equal("y", Assert.IsType<Rich>(copy.D).Label);
        Assert.Equal(2, copy.C!.Id);
    }
}
