using System.ComponentModel;
using System.Dynamic;
using System.Reflection;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>The names that objects with members of their own bring into the process.</summary>
public class ExpandoNamesTests
{
    // What .NET keeps for the process.
    private static System.Collections.ICollection FirstNames
    {
        get
        {
            Type type = typeof(ExpandoObject).Assembly.GetType("System.Dynamic.ExpandoClass", throwOnError: true)!;
            object empty = type.GetField("Empty", BindingFlags.Static | BindingFlags.NonPublic)!.GetValue(null)!;
            return (System.Collections.ICollection)type.GetField("_transitions", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(
                empty)!;
        }
    }

    [Fact]
    public void Names_that_payloads_make_up_are_not_kept()
    {
        var serializer = new Serializer();
        serializer.Deserialize<object>(Payload(0));
        int before = FirstNames.Count;
        for (int i = 1; i <= 3; i++)
        {
            serializer.Deserialize<object>(Payload(i));
        }

        // Once: 1,000 for each, which is 150 bytes for each name, and for ever. Other tests add some.
        Assert.InRange(FirstNames.Count - before, 0, 100);
    }

    [Fact]
    public void An_object_that_was_read_behaves_as_one_that_was_filled()
    {
        var filled = new ExpandoObject();
        dynamic dynamic = filled;
        dynamic.Zeta = 1;
        dynamic.Alpha = "a";
        dynamic.Mid = null;
        dynamic read = new Serializer().CopyBothWays(filled);
        IDictionary<string, object?> members = read;

        Assert.Equal(["Zeta", "Alpha", "Mid"], members.Keys);
        Assert.Equal([1, "a", null], members.Values);
        Assert.Equal(filled, members);
        Assert.Equal(3, members.Count);
        Assert.Equal(1, read.Zeta);
        Assert.Equal(
            members.Keys,
            ((IDynamicMetaObjectProvider)read).GetMetaObject(System.Linq.Expressions.Expression.Constant(read)).GetDynamicMemberNames());

        var changed = new List<string?>();
        ((INotifyPropertyChanged)read).PropertyChanged += (_, e) => changed.Add(e.PropertyName);
        read.Alpha = "b";
        read.New = true;
        members.Remove("Zeta");
        Assert.Equal(["Alpha", "New", "Zeta"], changed);
        Assert.Equal(["Alpha", "Mid", "New"], members.Keys);
        Assert.Equal("b", read.Alpha);
        Assert.Equal(members, new Serializer().CopyBothWays((ExpandoObject)read));
    }

    [Theory]
    [InlineData("\0Wire", "a")]
    [InlineData("a", "\0Wire")]
    public void Any_name_is_read(string first, string second)
    {
        IDictionary<string, object?> members = new ExpandoObject();
        members[first] = 1;
        members[second] = 2;
        IDictionary<string, object?> read = new Serializer().CopyBothWays((ExpandoObject)members);
        Assert.Equal((2, 1, 2), (read.Count, read[first], read[second]));
    }

    private static byte[] Payload(int round) => new PayloadWriter().Byte(0x10, 5, 0x2F).Number(1_000).Many(1_000, (writer, i) =>
    {
        if (i == 0)
        {
            writer.Definition(typeof(ExpandoObject), schema => schema.Byte(0x42, 0x2A, 0x46, 0));
        }
        else
        {
            writer.Byte(0x80);
        }

        string name = $"r{round}_{i}";
        writer.Byte(0, 1, (byte)(1 + (2 * name.Length))).Byte(System.Text.Encoding.Latin1.GetBytes(name)).Byte(0);
    }).Bytes;
}
