using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Tests.Golden;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>The places of fields, which are found by trying, are those that emitted code reads.</summary>
public sealed class FieldOffsetTests
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly Type[] Own =
    [
        typeof(Derived), typeof(Packed), typeof(Overlaid), typeof(Of<int>), typeof(Of<string>), typeof(Of<Of<string>>), typeof(Of<int?>),
        typeof(Of<Of<string>?>), typeof(Of<(byte, string?)>), typeof(Generic<bool>), typeof(Generic<Half>), typeof(Generic<UInt128>),
        typeof(Generic<Of<object>>), typeof(Generic<Nothing>), typeof(Generic<DateTimeOffset?>),
    ];

    [Fact]
    public void Each_field_is_found_where_emitted_code_finds_it()
    {
        Type[] types = [.. Own, .. GoldenSamples.All.Where(sample => sample.Value is not null).Select(sample => sample.Value!.GetType())];
        int fields = 0;
        foreach (Type type in types.Distinct())
        {
            object serializer = BuiltIns.SerializerOf(type, new SerializerOptions { TypeFilter = Setup.TestTypes });
            if (serializer.GetType().Name != "ComplexSerializer`1")
            {
                continue;
            }

            object plan = serializer.GetType().GetProperty("Plan", Any)!.GetValue(serializer)!;
            var members = (Array)plan.GetType().GetProperty("Members", Any)!.GetValue(plan)!;
            typeof(Serializer).Assembly.GetType("Wire.Compilation.FieldOffsets", throwOnError: true)!.GetMethod("Find", Any)!
                .Invoke(null, [type, members]);
            foreach (object member in members)
            {
                if (member.GetType().GetProperty("Field", Any)!.GetValue(member) is FieldInfo field)
                {
                    int found = (int)member.GetType().GetField("Offset", Any)!.GetValue(member)!;
                    Assert.True(OffsetOf(type, field) == found, $"{type}.{field.Name}: {found}, and not {OffsetOf(type, field)}");
                    fields++;
                }
            }
        }

        Assert.InRange(fields, 200, int.MaxValue);
    }

    // The addresses of the field and of the first byte, in the same object.
    private static int OffsetOf(Type type, FieldInfo field)
    {
        var method = new DynamicMethod("Offset", typeof(int), [typeof(object)], typeof(FieldOffsetTests).Module, skipVisibility: true);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        if (type.IsValueType)
        {
            il.Emit(OpCodes.Unbox, type);
        }

        il.Emit(OpCodes.Ldflda, field);
        il.Emit(OpCodes.Conv_U);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldflda, typeof(StrongBox<byte>).GetField(nameof(StrongBox<>.Value))!);
        il.Emit(OpCodes.Conv_U);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Conv_I4);
        il.Emit(OpCodes.Ret);
        object value = RuntimeHelpers.GetUninitializedObject(type);
        return method.CreateDelegate<Func<object, int>>()(value);
    }

    public class Base
    {
        private readonly bool _first;
        private readonly object? _second;

        public bool IsFirst => _first && _second is null;
    }

    public sealed class Derived : Base
    {
        public byte Small;
        public volatile int Whole;
        public string? Text;
        public decimal Money { get; init; }
        public DayOfWeek? Day;
        public List<int>? Many;
        public Nothing None;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    public struct Packed
    {
        public byte First;
        public long Second;
        public short Third;
    }

    [StructLayout(LayoutKind.Explicit, Size = 40)]
    public struct Overlaid
    {
        [FieldOffset(3)]
        public byte First;
        [FieldOffset(8)]
        public long Second;
        [FieldOffset(8)]
        public int Low;
        [FieldOffset(24)]
        public string? Text;
    }

    public struct Nothing;

    public struct Of<T>
    {
        public byte Before;
        public T Value;
        public short After;
    }

    public sealed class Generic<T>
    {
        public T? Value;
        public Of<T> Inside;
        public Of<T>? Perhaps;
        public T[]? Many;
        public byte Last;
    }
}
