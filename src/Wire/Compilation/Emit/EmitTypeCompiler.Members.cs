using System.Reflection;
using System.Reflection.Emit;
using Wire.Sessions;
using Wire.Slots;

namespace Wire.Compilation.Emit;

/// <content>
/// Members, one after the other: adjacent ones of fixed size share one check of the window, and from one member to the next the position
/// stays in a local. Value types without objects are compiled into the enclosing type.
/// </content>
internal sealed partial class EmitTypeCompiler
{
    private const int MaxRun = 1 << 12;

    // A member to write: its value is loaded from the owner that LoadOwner pushes.
    internal readonly record struct MemberOf(WireMember Member, Action LoadOwner);

    // A step of reading: Prepare pushes before the value on the evaluation stack, and Store consumes both.
    internal readonly record struct StepInto(ReadStep Step, Action Prepare, Action Store)
    {
        public IFixedSerializer? Fixed => Step.Serializer as IFixedSerializer;

        public int FixedSize => Step.Kept is not null ? 0 : Step.Skipped?.FixedSize ?? Fixed?.FixedSize ?? 0;

        public int Number => Step.Member?.Number ?? GraphPath.Root;
    }

    internal static List<MemberOf> MembersOf(ILGenerator il, WireMember[] members, Action loadOwner)
    {
        var all = new List<MemberOf>();
        foreach (WireMember member in members)
        {
            if (member.Field is { } field && ValueParts.Of(member.Slot) is { } part)
            {
                all.AddRange(MembersOf(il, part.Plan.Members, () => LoadPart(il, loadOwner, field)));
            }
            else
            {
                all.Add(new MemberOf(member, loadOwner));
            }
        }

        return all;
    }

    internal static List<StepInto> StepsInto(ILGenerator il, IEnumerable<ReadStep> steps, Action loadOwner, bool inPlace)
    {
        var all = new List<StepInto>();
        foreach (ReadStep step in steps)
        {
            if (inPlace && step.Member?.Field is { } field && ValueParts.Of(step.Serializer!) is { } part)
            {
                all.AddRange(StepsInto(il, part.Steps, () => LoadPart(il, loadOwner, field), inPlace));
            }
            else
            {
                all.Add(new StepInto(step, loadOwner, () => il.Emit(OpCodes.Stfld, step.Member!.Field!)));
            }
        }

        return all;
    }

    private static void LoadPart(ILGenerator il, Action loadOwner, FieldInfo field)
    {
        loadOwner();
        il.Emit(OpCodes.Ldflda, field);
    }

    // The number of next members with a fixed size, and their total number of bytes.
    private static int RunLength<TMember>(List<TMember> members, int start, Func<TMember, int> sizeOf, out int size)
    {
        size = 0;
        int end = start;
        while (end < members.Count && sizeOf(members[end]) is > 0 and int next && (end == start || size + next <= MaxRun))
        {
            size += next;
            end++;
        }

        return end - start;
    }
}
